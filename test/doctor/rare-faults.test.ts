import { describe, expect, it } from 'vitest';
import { valueAt } from '../../src/shared/values.ts';
import {
  another,
  changed,
  counter,
  creating,
  examine,
  type Instead,
  isCreate,
  isTransfer,
  type Json,
  type Request,
} from './examine.ts';
import { type Faults, problem, sandboxService, USER } from './sandbox-service.ts';
import { inProcess, levelsOf, type PlainResponse, run, wordsOf } from './support.ts';

/** Responds otherwise to some of the requests to which `applies`, counted from 1. */
function nth(
  applies: (request: Request) => boolean,
  respond: (count: number, request: Request, right: () => PlainResponse) => PlainResponse | undefined,
): Instead {
  let count = 0;
  return (request, right) => {
    if (!applies(request)) return undefined;
    count += 1;
    return respond(count, request, right);
  };
}

/** Compares only the first characters of keys. */
function truncating(length: number): Instead {
  const first = new Map<string, unknown>();
  return (request, right) => {
    if (!isCreate(request)) return undefined;
    const { requestId } = request.body;
    const key = String(requestId).slice(0, length);
    if (!first.has(key)) first.set(key, requestId);
    request.body.requestId = key;
    return changed(right(), (details) => Object.assign(details, { requestId: first.get(key) }));
  };
}

const WRONG: [what: string, instead: () => Instead, check: string, words: RegExp, faults?: Faults][] = [
  ...[8, 32, 35].map((length): (typeof WRONG)[number] => [
    `that compares ${length} characters of a key`,
    () => truncating(length),
    'idempotency',
    /second payment is not made/,
  ]),
  [
    'that compares 35 characters of a key, and refuses the others as known',
    () => truncating(35),
    'idempotency',
    /request_id_known.*second payment is not made/,
    { refusal: problem(409, 'RESOURCE_CONFLICT', 'Try a different request id') },
  ],
  [
    'that makes two requests at once for another amount',
    () => {
      const count = counter();
      return creating(/transfers$/, (details, request) => {
        if (count(request).keys === 2) Object.assign(details, { amount: 100 });
      });
    },
    'transfers.create',
    /did not make what was asked for/,
  ],
  [
    'that forgets the key of an onramp once its quote was refreshed',
    () => {
      let quoted: Json | undefined;
      let isRefreshed = false;
      return (request, right) => {
        if (request.path.endsWith('/quote/refresh')) {
          isRefreshed = true;
          return { body: quoted };
        }
        if (request.path !== '/v2/onramps') return undefined;
        const isKnown = valueAt(quoted, 'transferDetails.requestId') === request.body.requestId;
        if (isKnown && isRefreshed) return another(request, right);
        const record = changed(right(), (details) => Object.assign(details, { status: 'OPEN_QUOTE' }));
        quoted ??= record.body;
        return record;
      };
    },
    'idempotency',
    /onramps.create: the service made two payments for one `requestId`/,
  ],
  [
    'that creates a transfer after its rejection',
    () => {
      let isRejected = false;
      return (request, right) => {
        if (request.path.endsWith('/reject')) isRejected = true;
        return creating(/transfers$/, (details) => {
          if (isRejected) Object.assign(details, { status: 'CREATED' });
        })(request, right);
      };
    },
    'transfers.create',
    /rejected, and the transfer is CREATED/,
  ],
  [
    'that decides the approval of a batch twice',
    () => {
      let approvalId: unknown;
      return (request, right) => {
        if (request.path.endsWith(`${approvalId}/approve`))
          return { body: { success: true, message: 'ok', approvalId, status: 'APPROVED' } };
        return creating(/batches$/, (details) => {
          approvalId ??= valueAt(details, 'receipt.approval.id');
        })(request, right);
      };
    },
    'approvals.approve',
    /decides one approval twice/,
  ],
  [
    'that shows other amounts under `recipients`',
    () =>
      creating(/batches$/, (details) =>
        Object.assign(details, {
          destination: {},
          recipients: ['9', '2'].map((amount) => ({ userId: USER, amount })),
        }),
      ),
    'transfers.createBatch',
    /did not make what was asked for/,
  ],
  [
    'that pays in another currency whose name begins alike',
    () => creating(/transfers$/, (details) => Object.assign(details, { currency: 'usdc.e' })),
    'transfers.create',
    /did not make what was asked for/,
  ],
  [
    'that pays on another chain, in words',
    () => creating(/transfers$/, (details) => Object.assign(details, { chain: 'Solana Mainnet' })),
    'transfers.create',
    /did not make what was asked for/,
  ],
  [
    'whose batches have no id',
    () => creating(/batches$/, (details) => Reflect.deleteProperty(details, 'id')),
    'transfers.createBatch',
    /no id/,
  ],
];

describe('a service', () => {
  it.each(WRONG)('%s is called wrong', async (_what, make, check, words, faults) => {
    const { status, report } = await examine(make(), faults);
    const bad = report.findings.filter(({ level, check: of }) => level === 'failure' && of === check);
    expect({ status, bad: bad.map(({ message }) => message) }).toEqual({
      status: 1,
      bad: expect.arrayContaining([expect.stringMatching(words)]),
    });
  });

  it.each([false, true])(
    'that opens a rejected approval again (as a new one: %j) is called wrong, and the approval is left behind',
    async (isNew) => {
      const rejected = new Set<unknown>();
      let open: unknown;
      const service = sandboxService({
        instead: (request, right) => {
          if (request.path.endsWith('/reject')) rejected.add(request.path.split('/').at(-2));
          if (!isTransfer(request)) return undefined;
          const response = right();
          const id = valueAt(changed(response, () => undefined).body, 'transferDetails.receipt.approval.id');
          if (!rejected.has(id)) return response;
          const approval = service.approvals.find((one) => one.id === id);
          Object.assign(Object(approval), { status: 'PENDING', ...(isNew && { id: crypto.randomUUID() }) });
          open = approval?.id;
          return changed(response, () => undefined);
        },
      });
      const { status, report } = await run({
        args: ['--json', '--sandbox-writes', '--yes'],
        env: { PAYMENTS_USER_ID: USER },
        fetch: inProcess(service.handle),
      });
      expect(status).toBe(1);
      expect(wordsOf(report, 'writes')).toContain('pending again');
      expect(report.open.join('\n')).toContain(`its approval ${open} is pending`);
    },
  );

  it.each([429, 500])('that responds %i to one of two requests at once was not checked', async (status) => {
    const { report } = await examine(
      nth(isTransfer, (count) => (count === 5 ? problem(status, 'TRY_LATER') : undefined)),
    );
    const words = report.findings.flatMap(({ level, message }) => (level === 'warning' ? [message] : []));
    expect(words).toContainEqual(
      expect.stringMatching(/transfers.create: two requests at once.*not checked.*TRY_LATER/),
    );
    expect(report.open.some((what) => what.startsWith('transfers.create: may have been made'))).toBe(
      status === 500,
    );
  });

  it.each(['/v2/onramps', '/v2/wallets/bridges'])(
    'that fails at a known key may have made another payment, which is said: %s',
    async (path) => {
      const { report } = await examine(
        nth(
          (request) => isCreate(request) && request.path === path,
          (count) => (count === 3 ? problem(500, 'INTERNAL_ERROR') : undefined),
        ),
      );
      expect(report.open).toContainEqual(
        expect.stringMatching(/create: a second payment may have been made. requestId [\w-]+$/),
      );
    },
  );

  it.each([
    ['fails', () => problem(500, 'INTERNAL_ERROR')],
    ['shows no id', () => ({ body: { userId: USER, status: 'ACTIVE' } })],
  ])('whose account may have been created says so, as its response %s', async (_what, respond) => {
    const { status, report } = await examine((request, right) => {
      if (request.method !== 'POST' || !request.path.endsWith('/accounts')) return undefined;
      right();
      return respond();
    });
    expect(status).toBe(1);
    expect(levelsOf(report, 'accounts.create')).toEqual(['failure']);
    expect(report.open).toContainEqual(expect.stringMatching(/^account .*: may have been created/));
  });

  it('that fails at the approval of a rejected transfer may have approved it, which is said', async () => {
    const { status, report } = await examine(({ path }) =>
      path.endsWith('/approve') ? problem(500, 'INTERNAL_ERROR') : undefined,
    );
    expect(status).toBe(1);
    expect(report.open).toContainEqual(expect.stringMatching(/^transfer .*: rejected, and perhaps approved/));
  });

  it('that shows another reference of a deposit for a known key gets a warning', async () => {
    const { report } = await examine(
      creating(/onramps$/, (details) =>
        Object.assign(details, { depositInfo: { reference: crypto.randomUUID() } }),
      ),
    );
    const words = report.findings.flatMap(({ level, message }) => (level === 'warning' ? [message] : []));
    expect(words).toContainEqual(expect.stringContaining('another reference of the deposit'));
  });
});
