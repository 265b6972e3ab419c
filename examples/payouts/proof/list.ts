import type { Emulator } from 'stablecoin-payments/emulator';

/** Adds the list of a user's transfers, newest first, as services have one outside of the documented interface. */
export function serveList(emulator: Emulator): void {
  emulator.route({
    method: 'GET',
    path: '/v2/wallets/transfers',
    handle: ({ query }) => {
      const before = query.get('createdBefore') ?? '~';
      const records = emulator
        .state()
        .transfers.toReversed()
        .filter(
          ({ transferDetails: { source, createdAt } }) =>
            payerIn(source) === query.get('userId') && createdAt < before,
        )
        .slice(0, Number(query.get('limit') ?? 10));
      return { body: { records } };
    },
  });
}

const payerIn = (source: unknown): unknown =>
  typeof source === 'object' && source !== null && 'userId' in source ? source.userId : undefined;
