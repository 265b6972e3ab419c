import { randomUUID } from 'node:crypto';
import { type Transfer, transfersFrom } from 'stablecoin-payments';

/** A transfer that the service made. */
export interface Made {
  readonly id: string;
  readonly requestId: string;
  readonly status: string;
  readonly createdAt: string;
  readonly source: { readonly userId: string };
  readonly destination: object;
  readonly amount?: unknown;
  readonly currency: unknown;
}

/** A service that pays, lists what it paid, and forgets its idempotency keys when a test says so. */
export function forgettingService() {
  const ledger: Made[] = [];
  const remembered = new Map<string, Made>();
  let requests = 0;
  const bad = new Set<string>();
  const recordOf = (made: Made) => ({ transferType: 'WALLET.TRANSFER', transferDetails: made });
  const create = (text: string): Response => {
    requests += 1;
    const body = JSON.parse(text);
    const known = remembered.get(body.requestId);
    if (known !== undefined) return Response.json(recordOf(known));
    if ([...bad].some((user) => text.includes(`"${user}"`)))
      return Response.json({ error: 'USER_NOT_FOUND' }, { status: 400 });
    const { requestId, source, destination, amount, currency } = body;
    const shown = amount === undefined ? {} : { amount };
    const made: Made = {
      id: randomUUID(),
      requestId,
      status: 'COMPLETED',
      createdAt: new Date().toISOString(),
      source,
      destination,
      currency,
      ...shown,
    };
    ledger.push(made);
    remembered.set(requestId, made);
    return Response.json(recordOf(made));
  };
  const list = ({ searchParams }: URL): Made[] => {
    const before = searchParams.get('createdBefore') ?? '9999';
    return ledger
      .filter(({ createdAt }) => createdAt < before)
      .toSorted((one, other) => (one.createdAt < other.createdAt ? 1 : -1))
      .slice(0, Number(searchParams.get('limit')));
  };
  const fetch = async (given: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const url = new URL(given instanceof Request ? given.url : given);
    return init?.method === 'POST'
      ? create(String(init.body))
      : Response.json({ records: list(url).map(recordOf) });
  };
  return {
    ledger,
    bad,
    fetch,
    requests: () => requests,
    forget: () => remembered.clear(),
    /** Times each recipient was paid, by its id or address in the bodies. */
    timesPaid: () => {
      const times = new Map<string, number>();
      for (const { destination } of ledger)
        for (const [, user = ''] of JSON.stringify(destination).matchAll(/"userId":"([^"]+)"/g))
          times.set(user, (times.get(user) ?? 0) + 1);
      return Object.fromEntries(times);
    },
  };
}

/** The list of a service's transfers, as an integrator makes it. */
export const transfersOf = (service: ReturnType<typeof forgettingService>) =>
  transfersFrom(async ({ userId, limit, createdBefore }) => {
    const query = new URLSearchParams({ userId, limit: String(limit) });
    if (createdBefore !== undefined) query.set('createdBefore', createdBefore);
    const response = await service.fetch(`https://service.test/v2/wallets/transfers?${query}`);
    const { records }: { records: Transfer[] } = await response.json();
    return records;
  });
