import { describe, expect, it } from 'vitest';
import { valueAt } from '../../src/shared/values.ts';
import {
  another,
  changed,
  counter,
  creating,
  examine,
  forgetful,
  type Instead,
  isCreate,
  isTransfer,
  type Json,
  type Request,
} from './examine.ts';
import { problem } from './sandbox-service.ts';
import { levelsOf, type PlainResponse } from './support.ts';

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
  const count = counter();
  return (request, right) => {
    if (!isTransfer(request)) return undefined;
    const { count: ofKey, keys } = count(request);
    return keys === 1 ? undefined : respond(ofKey, right);
  };
}

/** Responds otherwise to a known key, if something has happened since its last request. */
function afterwards(path: RegExp, happens: (request: Request) => boolean, respond: Instead): Instead {
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

const isRejection = ({ path }: Request) => path.endsWith('/reject');

const WRONG: [what: string, instead: () => Instead, check: string, words: RegExp][] = [
  ...([/transfers$/, /batches$/, /bridges$/] as const).map((path): (typeof WRONG)[number] => [
    `that forgets the keys of rejected payments: ${path}`,
    () => afterwards(path, isRejection, another),
    'idempotency',
    /two payments for one `requestId`, the second some requests later/,
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
  ...([/transfers$/, /onramps$/] as const).map((path): (typeof WRONG)[number] => [
    `that remembers only the last key: ${path}`,
    () => forgetful((request) => isCreate(request) && path.test(request.path)),
    'idempotency',
    /made two payments for one `requestId`, the second some requests later/,
  ]),
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
      const count = counter();
      return (request, right) => {
        if (!isCreate(request) || !path.test(request.path)) return undefined;
        const { count: ofKey, keys } = count(request);
        return keys > 1 && ofKey > 1 ? another(request, right) : undefined;
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
    const count = counter();
    const { report } = await examine((request) =>
      isCreate(request) && count(request).count > 2 ? problem(status, 'TRY_LATER') : undefined,
    );
    const words = report.findings.flatMap(({ level, message }) => (level === 'warning' ? [message] : []));
    expect(words).toEqual(
      expect.arrayContaining([
        expect.stringMatching(
          /^transfers.create: the `requestId` with another amount was not checked.*TRY_LATER/,
        ),
        expect.stringMatching(/^transfers.create: the `requestId` some requests later was not checked/),
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
