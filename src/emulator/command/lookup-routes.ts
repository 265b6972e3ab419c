import type { Emulator } from '../emulator.ts';

/** The lists of payments by their path. The service's description has no such operations, but most services do. */
const LISTS = {
  '/v2/wallets/transfers': 'WALLET.TRANSFER',
  '/v2/wallets/bridges': 'WALLET.BRIDGE',
  '/v2/offramps': 'OFFRAMP',
  '/v2/onramps': 'ONRAMP',
};

/** Adds the operations by which an application looks a payment up: by its id, and in a list by `userId`, newest first. */
export function addLookups(emulator: Emulator): void {
  for (const [path, type] of Object.entries(LISTS)) {
    const records = () => {
      const { transfers, onramps } = emulator.state();
      const all = [...transfers, ...onramps].filter(({ transferType }) => transferType === type);
      return all.map(({ transferType, transferDetails }) => ({ transferType, transferDetails })).reverse();
    };
    emulator.route({
      method: 'GET',
      path: `${path}/{transferId}`,
      handle: ({ path: { transferId } }) => {
        const found = records().find(({ transferDetails }) => transferDetails.id === transferId);
        if (found !== undefined) return { body: found };
        const error = { code: 'TRANSACTION_NOT_FOUND', message: 'There is no transfer with this id' };
        return { status: 404, body: { status: 'error', error } };
      },
    });
    emulator.route({
      method: 'GET',
      path,
      handle: ({ query }) => {
        const before = Date.parse(query.get('createdBefore') ?? '9999-01-01');
        const listed = records().filter(
          ({ transferDetails: { source, createdAt } }) =>
            source.userId === (query.get('userId') ?? source.userId) && Date.parse(createdAt) < before,
        );
        return { body: { count: listed.length, records: listed, nextCursor: null } };
      },
    });
  }
}
