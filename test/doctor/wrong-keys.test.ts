import { describe, expect, it } from 'vitest';
import { valueAt } from '../../src/shared/values.ts';
import { type Faults, problem, sandboxService, USER } from './sandbox-service.ts';
import { inProcess, levelsOf, type PlainResponse, run } from './support.ts';

type Json = Record<string, unknown>;
type Instead = NonNullable<Faults['instead']>;

const examine = (instead: Instead) =>
  run({
    args: ['--json', '--sandbox-writes', '--yes'],
    env: { PAYMENTS_USER_ID: USER },
    fetch: inProcess(sandboxService({ instead }).handle),
  });

function changed({ body }: PlainResponse, change: (details: Json) => void): PlainResponse {
  const record: { transferDetails: Json } = JSON.parse(JSON.stringify(body));
  change(record.transferDetails);
  return { body: record };
}

/** Changes the records of the creates at a path. */
const creating =
  (path: RegExp, change: (details: Json) => void): Instead =>
  (request, right) =>
    request.method === 'POST' && path.test(request.path) ? changed(right(), change) : undefined;

const isTransfer = ({ method, path }: Parameters<Instead>[0]) =>
  method === 'POST' && path === '/v2/wallets/transfers';

/** Takes two transfers with the same content for one. */
function byContent(change: (details: Json, requestId: unknown) => void): Instead {
  const made = new Map<string, PlainResponse>();
  return (request, right) => {
    if (!isTransfer(request)) return undefined;
    const { requestId, ...content } = request.body;
    const key = JSON.stringify(content);
    const record = made.get(key) ?? right();
    made.set(key, record);
    return changed(record, (details) => change(details, requestId));
  };
}

/** Is right about the first key, and responds to each later one by the number of its request. */
function atOnce(respond: (count: number, right: () => PlainResponse) => PlainResponse): Instead {
  const counts = new Map<unknown, number>();
  return (request, right) => {
    if (!isTransfer(request)) return undefined;
    const { requestId } = request.body;
    const count = (counts.get(requestId) ?? 0) + 1;
    counts.set(requestId, count);
    return counts.size === 1 ? undefined : respond(count, right);
  };
}

const isCreate = ({ method, path }: Parameters<Instead>[0]) =>
  method === 'POST' && /^\/v2\/(?:wallets\/|onramps$)/.test(path);

/** Makes another payment for the key of a request. */
function another(request: Parameters<Instead>[0], right: () => PlainResponse): PlainResponse {
  const { requestId } = request.body;
  request.body.requestId = crypto.randomUUID();
  return changed(right(), (details) => Object.assign(details, { requestId }));
}

/** Responds otherwise to a known key, if something has happened since its last request. */
function afterwards(
  path: RegExp,
  happens: (request: Parameters<Instead>[0]) => boolean,
  respond: Instead,
): Instead {
  const keys = new Map<unknown, number>();
  let events = 0;
  return (request, right) => {
    if (happens(request)) events += 1;
    if (!isCreate(request) || !path.test(request.path)) return undefined;
    const { requestId } = request.body;
    const before = keys.get(requestId);
    keys.set(requestId, events);
    return before === undefined || before === events ? undefined : respond(request, right);
  };
}

const isRejection = ({ path }: Parameters<Instead>[0]) => path.endsWith('/reject');

const WRONG: [what: string, instead: () => Instead, check: string, words: RegExp][] = [
  ...([/transfers$/, /batches$/, /bridges$/] as const).map((path): (typeof WRONG)[number] => [
    `that forgets the keys of rejected payments: ${path}`,
    () => afterwards(path, isRejection, another),
    'idempotency',
    /two payments for one `requestId`, the second after the first was rejected/,
  ]),
  [
    'that forgets a key once the approvals were read',
    () => afterwards(/transfers$/, ({ method }) => method === 'GET', another),
    'idempotency',
    /two payments for one `requestId`/,
  ],
  [
    'that executes a transfer that was rejected',
    () =>
      afterwards(/transfers$/, isRejection, (_request, right) =>
        changed(right(), (details) => Object.assign(details, { status: 'COMPLETED' })),
      ),
    'transfers.create',
    /rejected, and the transfer is COMPLETED/,
  ],
  ...([/transfers$/, /onramps$/] as const).map((path): (typeof WRONG)[number] => [
    `that pays again for a key that comes with another amount: ${path}`,
    () => {
      const amounts = new Map<unknown, unknown>();
      return (request, right) => {
        if (!isCreate(request) || !path.test(request.path)) return undefined;
        const { requestId, source } = request.body;
        const amount = request.body.amount ?? valueAt(source, 'amount');
        const first = amounts.get(requestId) ?? amount;
        amounts.set(requestId, first);
        return first === amount ? undefined : another(request, right);
      };
    },
    'idempotency',
    /with another amount/,
  ]),
  [
    'that remembers only the last key',
    () => {
      let last: unknown;
      const seen = new Set<unknown>();
      return (request, right) => {
        if (!isTransfer(request)) return undefined;
        const { requestId } = request.body;
        const isForgotten = seen.has(requestId) && requestId !== last;
        last = requestId;
        seen.add(requestId);
        return isForgotten ? another(request, right) : undefined;
      };
    },
    'idempotency',
    /made two payments for one `requestId`/,
  ],
  [
    'that changes the amount of a payment whose key comes with another one',
    () => {
      const made = new Map<unknown, PlainResponse>();
      return (request, right) => {
        if (!isTransfer(request)) return undefined;
        const { requestId, amount } = request.body;
        const record = changed(made.get(requestId) ?? right(), (details) =>
          Object.assign(details, { amount }),
        );
        made.set(requestId, record);
        return record;
      };
    },
    'transfers.create',
    /did not make what was asked for/,
  ],
  ...([/batches$/, /bridges$/, /onramps$/] as const).map((path): (typeof WRONG)[number] => [
    `that makes two payments for two requests at once: ${path}`,
    () => {
      const counts = new Map<unknown, number>();
      return (request, right) => {
        if (!isCreate(request) || !path.test(request.path)) return undefined;
        const { requestId } = request.body;
        const count = (counts.get(requestId) ?? 0) + 1;
        counts.set(requestId, count);
        return counts.size > 1 && count > 1 ? another(request, right) : undefined;
      };
    },
    'idempotency',
    /two payments for two requests at once/,
  ]),
  [
    'that takes two transfers with the same content for one',
    () => byContent((details, requestId) => Object.assign(details, { requestId })),
    'idempotency',
    /second payment is not made/,
  ],
  [
    'that does so, and shows no requestId',
    () => byContent((details) => Reflect.deleteProperty(details, 'requestId')),
    'idempotency',
    /second payment is not made/,
  ],
  [
    'that bridges to another currency',
    () => creating(/bridges$/, (details) => Object.assign(Object(details.destination), { currency: 'usdt' })),
    'bridges.create',
    /did not make what was asked for/,
  ],
  [
    'that bridges from another currency',
    () => creating(/bridges$/, (details) => Object.assign(Object(details.source), { currency: 'usdt' })),
    'bridges.create',
    /did not make what was asked for/,
  ],
  [
    'that fails two requests at once',
    () => atOnce(() => problem(500, 'INTERNAL_ERROR')),
    'idempotency',
    /both failed.*HTTP 500, INTERNAL_ERROR/,
  ],
  ...([400, 422] as const).map((status): (typeof WRONG)[number] => [
    `that makes one of two requests at once and refuses the other with ${status}`,
    () => atOnce((count, right) => (count === 1 ? right() : problem(status, 'INSUFFICIENT_BALANCE'))),
    'idempotency',
    /`outcome: 'rejected'`, although the payment exists/,
  ]),
];

describe('a service', () => {
  it.each(WRONG)('%s is called wrong', async (_what, make, check, words) => {
    const { status, report } = await examine(make());
    const bad = report.findings.filter(({ level, check: of }) => level === 'failure' && of === check);
    expect({ status, bad: bad.map(({ message }) => message) }).toEqual({
      status: 1,
      bad: expect.arrayContaining([expect.stringMatching(words)]),
    });
  });

  it('that refuses two requests at once leaves the check undone, which is a warning', async () => {
    const { report } = await examine(atOnce(() => problem(400, 'TOO_MANY_REQUESTS')));
    expect(levelsOf(report, 'idempotency')).toContain('warning');
  });

  it.each([429, 500])('that responds %i to a key that comes again is not called right', async (status) => {
    const counts = new Map<unknown, number>();
    const { report } = await examine(({ body: { requestId }, ...request }) => {
      if (!isCreate({ ...request, body: {} })) return undefined;
      const count = (counts.get(requestId) ?? 0) + 1;
      counts.set(requestId, count);
      return count > 2 ? problem(status, 'TRY_LATER') : undefined;
    });
    const words = report.findings.flatMap(({ level, message }) => (level === 'warning' ? [message] : []));
    expect(words).toEqual(
      expect.arrayContaining([
        expect.stringMatching(
          /^transfers.create: the `requestId` with another amount was not checked.*TRY_LATER/,
        ),
        expect.stringMatching(/^transfers.create: the `requestId` of a rejected payment was not checked/),
      ]),
    );
  });

  it.each([null, undefined])('that shows the requestId %j gets a warning', async (requestId) => {
    const { status, report } = await examine(
      creating(/transfers$/, (details) => Object.assign(details, { requestId })),
    );
    expect(report.findings).toContainEqual(
      expect.objectContaining({
        check: 'transfers.create',
        level: 'warning',
        message: expect.stringContaining('does not show its `requestId`'),
      }),
    );
    expect(status).toBe(0);
  });

  it('is not said to have offramps that were checked', async () => {
    const { report } = await examine(() => undefined);
    expect(levelsOf(report, 'offramps.create')).toEqual(['note']);
  });
});
