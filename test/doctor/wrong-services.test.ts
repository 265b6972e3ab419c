import { describe, expect, it } from 'vitest';
import { type Faults, problem, sandboxService, USER } from './sandbox-service.ts';
import { inProcess, levelsOf, type PlainResponse, run, wordsOf } from './support.ts';

const TRANSFERS = '/v2/wallets/transfers';

async function examine(faults: Faults = {}, args: readonly string[] = ['--sandbox-writes', '--yes']) {
  const service = sandboxService(faults);
  const env = { PAYMENTS_USER_ID: USER };
  const result = await run({ args: ['--json', ...args], env, fetch: inProcess(service.handle) });
  const sent = (part: string) =>
    service.requests.filter(({ path, method }) => method === 'POST' && path.endsWith(part));
  return { ...result, service, sent };
}

const body = (response: PlainResponse): Record<string, unknown> => JSON.parse(JSON.stringify(response.body));

/** The response of the service to a POST to a path, with its transfer changed. */
const changed =
  (path: string, change: (details: Record<string, unknown>) => void, nth = 0): Faults['instead'] =>
  (request, right) => {
    if (request.method !== 'POST' || request.path !== path) return undefined;
    seen.set(path, (seen.get(path) ?? 0) + 1);
    if (nth > 0 && seen.get(path) !== nth) return undefined;
    const record = body(right());
    change(record.transferDetails as Record<string, unknown>);
    return { body: record };
  };
const seen = new Map<string, number>();

/** Set by the service that makes a transfer of its own after the first one. */
let hasPaid = false;

const responds =
  (method: string, path: RegExp, response: PlainResponse): Faults['instead'] =>
  (request) =>
    request.method === method && path.test(request.path) ? response : undefined;

it('a service that is right gets no failure and no warning, and leaves nothing but two onramps', async () => {
  const { status, report, service } = await examine();
  expect(report.findings.filter(({ level }) => level === 'failure' || level === 'warning')).toEqual([]);
  expect(status).toBe(0);
  expect(service.approvals.map(({ status: decided }) => decided)).toEqual(Array(6).fill('REJECTED'));
  expect(report.open).toEqual(Array(2).fill(expect.stringMatching(/^onramp [\w-]+: waits for a deposit/)));
});

describe('a service', () => {
  const wrong: [string, Faults, string, RegExp][] = [
    [
      'that makes two transfers for one requestId',
      { forgetsKeys: true },
      'idempotency',
      /Do not use retries/,
    ],
    [
      'that makes a second transfer and shows the first',
      { hidesSecond: true },
      'writes',
      /Approvals appeared/,
    ],
    [
      'that makes a second transfer whose approval has a part of the id of an earlier one',
      {
        instead: ({ method, path, query }, right) => {
          if (path === TRANSFERS) hasPaid = true;
          if (method !== 'GET' || !path.endsWith('transfer-approvals') || query.has('offset'))
            return undefined;
          const page = body(right());
          const listed = page.approvals as unknown[];
          const stray = { id: 'a1', transferId: 't1', transferType: 'WALLET.TRANSFER', status: 'PENDING' };
          listed.push({ ...stray, id: 'a12', transferId: 't12' }, ...(hasPaid ? [stray] : []));
          return { body: page };
        },
      },
      'writes',
      /Approvals appeared/,
    ],
    [
      'that makes two batches for one requestId',
      { instead: (request, right) => (request.path.endsWith('batches') ? fresh(right) : undefined) },
      'idempotency',
      /createBatch: the service made two payments/,
    ],
    [
      'that makes two onramps for one requestId',
      { instead: (request, right) => (request.path === '/v2/onramps' ? fresh(right) : undefined) },
      'idempotency',
      /onramps.create: the service made two payments/,
    ],
    [
      'that ignores requireApproval',
      { ignoresApproval: true },
      'transfers.create',
      /ignores `requireApproval`/,
    ],
    [
      'whose reject responds PENDING',
      { keepsPending: true, instead: decision('reject', 'PENDING') },
      'approvals.reject',
      /does not say REJECTED/,
    ],
    [
      'whose reject changes nothing',
      { keepsPending: true },
      'approvals.reject',
      /still lists the approval as PENDING/,
    ],
    [
      'that decides an approval twice',
      { decidesTwice: true },
      'approvals.approve',
      /decides one approval twice/,
    ],
    [
      'whose delete responds ACTIVE',
      { instead: responds('DELETE', /accounts/, { body: { id: 'a', status: 'ACTIVE' } }) },
      'accounts.delete',
      /failure|shows it as active|another request/,
    ],
    [
      'whose deleted account stays active',
      {
        instead: (request) =>
          request.method === 'DELETE'
            ? { body: { id: request.path.split('/').at(-1), status: 'INACTIVE' } }
            : undefined,
      },
      'accounts.delete',
      /shows it as active/,
    ],
    [
      'that changes the amount',
      { instead: changed(TRANSFERS, (details) => Object.assign(details, { amount: 100 })) },
      'transfers.create',
      /did not make what was asked for/,
    ],
    [
      'that changes the currency',
      { instead: changed(TRANSFERS, (details) => Object.assign(details, { currency: 'usdt' })) },
      'transfers.create',
      /did not make what was asked for/,
    ],
    [
      'that changes the amount of an onramp',
      {
        instead: changed('/v2/onramps', (details) =>
          Object.assign(details, { source: { userId: USER, amount: 1 } }),
        ),
      },
      'onramps.create',
      /did not make what was asked for/,
    ],
    [
      'that pays a recipient of a batch twice',
      {
        instead: changed(`${TRANSFERS}/batches`, (details) =>
          Object.assign(details, {
            destination: { batch: [{ amount: '1' }, { amount: '2' }, { amount: '2' }] },
          }),
        ),
      },
      'transfers.createBatch',
      /did not make what was asked for/,
    ],
    [
      'that pays both recipients of a batch the same',
      {
        instead: changed(`${TRANSFERS}/batches`, (details) =>
          Object.assign(details, { destination: { batch: [{ amount: '2' }, { amount: '2' }] } }),
        ),
      },
      'transfers.createBatch',
      /did not make what was asked for/,
    ],
    [
      'that charges more for a batch than it pays',
      { instead: changed(`${TRANSFERS}/batches`, (details) => Object.assign(details, { amount: 5 })) },
      'transfers.createBatch',
      /did not make what was asked for/,
    ],
    [
      'whose second transfer has no id',
      { refusal: { body: { transferDetails: { status: 'PENDING_APPROVAL' } } } },
      'idempotency',
      /not shown to be safe/,
    ],
    [
      'that fails on a known requestId',
      { refusal: problem(500, 'INTERNAL_ERROR') },
      'idempotency',
      /not shown to be safe/,
    ],
    [
      'that refuses a known requestId with 400 under a name of its own',
      { refusal: problem(400, 'NOVEL_REFUSAL', 'No.') },
      'idempotency',
      /NOVEL_REFUSAL/,
    ],
    [
      'that refuses a known requestId with 422 under a name of its own',
      { refusal: problem(422, 'NOVEL_REFUSAL', 'No.') },
      'idempotency',
      /although the payment exists/,
    ],
    [
      'that refuses a known requestId without a name',
      { refusal: { status: 400, body: { message: 'Not allowed.' } } },
      'idempotency',
      /has no name/,
    ],
  ];
  it.each(wrong)('%s is called wrong', async (_what, faults, check, words) => {
    seen.clear();
    const { status, report } = await examine(faults);
    expect(status).toBe(1);
    expect(report.ok).toBe(false);
    expect(levelsOf(report, check)).toContain('failure');
    expect(wordsOf(report, check)).toMatch(words);
  });

  it.each([
    [400, 'failure'],
    [422, 'failure'],
    [409, 'warning'],
  ])(
    'that refuses a known requestId with %i under a name of its own gets an option, which was tried',
    async (status, level) => {
      const refusal = problem(status, 'NOVEL_REFUSAL', 'No.');
      const { report } = await examine({ refusal });
      expect(report.options.refusals).toBe("{ known: ['NOVEL_REFUSAL'] }");
      expect(levelsOf(report, 'idempotency')[0]).toBe(level);
      expect(wordsOf(report, 'idempotency')).toContain(`HTTP ${status}, NOVEL_REFUSAL`);
      expect(wordsOf(report, 'idempotency')).toContain('with it the client knows the id');
      const again = await examine({ refusal }, [
        '--sandbox-writes',
        '--yes',
        '--known-refusal',
        'NOVEL_REFUSAL',
      ]);
      expect(again.status).toBe(0);
      expect(new Set(levelsOf(again.report, 'idempotency'))).toEqual(new Set(['ok']));
      expect(again.report.options.refusals).toBe("{ known: ['NOVEL_REFUSAL'] }");
    },
  );

  it('that refuses a known requestId under a documented name needs no option', async () => {
    const { report } = await examine({
      refusal: problem(409, 'RESOURCE_CONFLICT', 'Try a different request id'),
    });
    expect(report.options).not.toHaveProperty('refusals');
    expect(report.ok).toBe(true);
  });

  it('that makes no payment leaves idempotency unchecked, which is a warning', async () => {
    const refused = problem(400, 'INSUFFICIENT_BALANCE');
    const { report } = await examine({
      instead: ({ method, path }) =>
        method === 'POST' && /wallets|onramps/.test(path) ? refused : undefined,
    });
    expect(levelsOf(report, 'idempotency')).toEqual(['warning']);
    expect(wordsOf(report, 'idempotency')).toContain('Not checked');
  });

  it('that makes two transfers gets no further payment, and both approvals are rejected', async () => {
    const { report, sent, service } = await examine({ forgetsKeys: true });
    expect(sent('/batches').concat(sent('/bridges'), sent('/onramps'))).toEqual([]);
    expect(service.approvals.map(({ status }) => status)).toEqual(['REJECTED', 'REJECTED']);
    expect(report.options.retries).toMatch(/^0/);
  });

  it('that ignores requireApproval is told what was paid and to whom, and gets no batch and no bridge', async () => {
    const { report, sent, stdout } = await examine({ ignoresApproval: true });
    expect(sent('/batches').concat(sent('/bridges'))).toEqual([]);
    const [open] = report.open;
    expect(open).toMatch(
      /^transfer [\w-]+: made without an approval \(CREATED\): 1.000001 usdc on POLYGON from the user/,
    );
    expect(open).toContain(USER);
    expect(stdout).toContain('Stopped');
  });

  it('whose rejections fail leaves approvals behind, which are listed with their ids', async () => {
    const { report, service } = await examine({
      instead: responds('POST', /reject$/, problem(500, 'INTERNAL_ERROR')),
    });
    const [approval] = service.approvals;
    expect(report.open.join('\n')).toContain(`its approval ${approval?.id} may still be pending`);
  });
});

describe('a record whose approval is not in it', () => {
  it('is rejected by the list of approvals', async () => {
    seen.clear();
    const hide = (details: Record<string, unknown>) => Object.assign(details, { receipt: null });
    const { report, status, service } = await examine({ instead: changed(TRANSFERS, hide) });
    expect(report.findings.filter(({ level }) => level === 'failure')).toEqual([]);
    expect(status).toBe(0);
    expect(service.approvals.every(({ status: decided }) => decided === 'REJECTED')).toBe(true);
  });

  it('is left behind with its id where the list does not show it either', async () => {
    seen.clear();
    const hide = changed(TRANSFERS, (details) => Object.assign(details, { receipt: null }));
    const { report, status } = await examine({
      instead: (request, right) =>
        request.method === 'GET' && request.path === '/v2/transfer-approvals'
          ? { body: { success: true, approvals: [] } }
          : hide?.(request, right),
    });
    expect(status).toBe(1);
    expect(report.open[0]).toMatch(/^transfer [\w-]+: waits for an approval that the service does not show/);
  });
});

/** A record of another id for each request. */
function fresh(right: () => PlainResponse): PlainResponse {
  const record = body(right());
  const details = record.transferDetails as Record<string, unknown>;
  return { body: { ...record, transferDetails: { ...details, id: crypto.randomUUID() } } };
}

function decision(kind: string, status: string): Faults['instead'] {
  return (request, right) => {
    if (!request.path.endsWith(`/${kind}`)) return undefined;
    const response = right();
    return response.status === undefined ? { body: { ...body(response), status } } : response;
  };
}
