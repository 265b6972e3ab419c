import { describe, expect, it } from 'vitest';
import {
  changed,
  type Faults,
  isCreate,
  problem,
  type Request,
  sandboxService,
  USER,
} from './sandbox-service.ts';
import { inProcess, levelsOf, type PlainResponse, run, wordsOf } from './support.ts';

async function examine(faults: Faults = {}, args: readonly string[] = []) {
  const service = sandboxService(faults);
  const result = await run({
    args: ['--json', '--sandbox-writes', '--yes', ...args],
    env: { PAYMENTS_USER_ID: USER },
    fetch: inProcess(service.handle),
  });
  expect(result.stdout.toLowerCase()).not.toContain('planted');
  const creates = service.requests.filter(isCreate).map(({ body }) => body);
  const open = service.approvals.filter(({ status }) => status === 'PENDING').length;
  return { ...result, service, creates, open };
}

const versionOf = ({ body }: Pick<Request, 'body'>) => String(body.requestId).charAt(14);

/** Counts the creates, and those with each key, from 1. */
function counting(
  respond: (key: number, all: number, right: () => PlainResponse) => PlainResponse | undefined,
) {
  const keys = new Map<unknown, number>();
  let all = 0;
  return (request: Request, right: () => PlainResponse) => {
    if (!isCreate(request)) return undefined;
    all += 1;
    const key = (keys.get(request.body.requestId) ?? 0) + 1;
    keys.set(request.body.requestId, key);
    return respond(key, all, right);
  };
}

describe('a service that is right', () => {
  it('gets no warning, and keeps nothing', async () => {
    const { status, report, service, creates, open } = await examine();
    expect(report.findings.filter(({ level }) => level === 'failure' || level === 'warning')).toEqual([]);
    expect([status, report.open, report.refusals, open]).toEqual([0, [], [], 0]);
    expect(service.accounts).toHaveLength(5);
    expect(new Set(creates.map(({ requestId }) => requestId)).size).toBe(2);
    expect(creates.map((body) => versionOf({ body }))).toEqual(['4', '4', '5', '5']);
    expect(creates.every(({ requireApproval }) => requireApproval === true)).toBe(true);
  });

  it('is sent the amount and the recipient of the command line', async () => {
    const { creates } = await examine({}, ['--amount', '25.5', '--to', 'somebody']);
    expect(creates[0]).toMatchObject({ amount: 25.5, destination: { userId: 'somebody' } });
    const address = `0x${'1'.repeat(40)}`;
    expect((await examine({}, ['--to', address])).creates[0]?.destination).toEqual({
      walletAddress: address,
    });
  });
});

describe('the form of the key', () => {
  it.each(['4', '5'])('that refuses UUIDs of version %s is a failure', async (version) => {
    const instead: Faults['instead'] = (request) =>
      isCreate(request) && versionOf(request) === version
        ? problem(400, 'FIELD_VALIDATION_ERROR')
        : undefined;
    const { status, report, open } = await examine({ instead });
    expect(status).toBe(1);
    expect(wordsOf(report, 'transfers.create')).toContain(`is a UUID of version ${version}`);
    expect([report.open, open]).toEqual([[], 0]);
  });

  it('is not blamed where the service refuses the sample', async () => {
    const { status, report, creates } = await examine({
      instead: (request) => (isCreate(request) ? problem(422, 'AMOUNT_TOO_SMALL') : undefined),
    });
    expect(status).toBe(0);
    expect(levelsOf(report, 'transfers.create')).toEqual(['warning']);
    expect(wordsOf(report, 'transfers.create')).toContain('--amount and --to');
    expect(report.refusals.join()).toMatch(/^transfers\.create: AMOUNT_TOO_SMALL \(HTTP 422\)/);
    expect(levelsOf(report, 'idempotency')).toEqual(['warning']);
    expect([creates.length, report.options.refusals, report.open]).toEqual([2, undefined, []]);
  });

  it('is not blamed where two requests at once are both refused', async () => {
    const { status, report } = await examine({
      instead: counting((_key, all) => (all === 3 || all === 4 ? problem(400, 'TOO_FAST') : undefined)),
    });
    expect(status).toBe(0);
    expect(wordsOf(report, 'idempotency')).toContain('are both refused');
  });
});

describe('a repeated key', () => {
  it('that is refused by a documented name is fine', async () => {
    const { status, report } = await examine({ refusal: problem(409, 'TRANSACTION_REQUEST_ALREADY_EXISTS') });
    expect([status, levelsOf(report, 'idempotency')]).toEqual([0, ['ok', 'ok']]);
    expect(report.refusals[0]).toContain('The client reports it as `request_id_known`.');
    expect(report.options.refusals).toBeUndefined();
  });

  it.each([400, 409, 422])(
    'that is refused by another name with %i gets the option to set',
    async (status) => {
      const refusal = problem(status, 'PAYMENT_SEEN_BEFORE');
      const { report, open } = await examine({ refusal });
      expect(levelsOf(report, 'idempotency')[0]).not.toBe('ok');
      expect(report.options.refusals).toBe("{ known: ['PAYMENT_SEEN_BEFORE'] }");
      expect(report.refusals.join('\n')).toContain('Add it to `refusals.known`.');
      expect(report.refusals.join('\n')).not.toContain('sure');
      expect([report.open, open]).toEqual([[], 0]);
      const told = await examine({ refusal }, ['--known-refusal', 'PAYMENT_SEEN_BEFORE']);
      expect([told.status, levelsOf(told.report, 'idempotency')]).toEqual([0, ['ok', 'ok']]);
    },
  );

  it('that is refused without a name asks for a function', async () => {
    const { report } = await examine({ refusal: { status: 409, body: { message: 'planted' } } });
    expect(levelsOf(report, 'idempotency')[0]).toBe('warning');
    expect(wordsOf(report, 'idempotency')).toContain('with a function');
  });

  it('that makes a second payment is a failure, and both are rejected', async () => {
    const { status, report, creates, open } = await examine({ forgetsKeys: true });
    expect([status, creates.length, open, report.open]).toEqual([1, 2, 0, []]);
    expect(wordsOf(report, 'idempotency')).toContain('Do not use retries');
    expect(report.options.retries).toMatch(/^0 /);
  });

  it.each([
    ['a server error', 500, 'failure'],
    ['a limit of the rate', 429, 'warning'],
  ])('that gets %s was not checked', async (_what, status, level) => {
    const { report } = await examine({
      instead: counting((key) => (key === 2 ? problem(status, 'X_Y') : undefined)),
    });
    expect(levelsOf(report, 'idempotency')[0]).toBe(level);
    expect(report.open.join()).toContain(status === 500 ? 'a second payment may have been made' : '');
  });
});

describe('two requests at once', () => {
  it('that make two payments are a failure, and both are rejected', async () => {
    const seen = new Set<unknown>();
    const { status, report, open } = await examine({
      instead: (request, right) => {
        if (!isCreate(request) || versionOf(request) !== '5') return undefined;
        const { requestId } = request.body;
        if (seen.has(requestId)) request.body.requestId = crypto.randomUUID();
        seen.add(requestId);
        return changed(right(), (details) => Object.assign(details, { requestId }));
      },
    });
    expect([status, open]).toEqual([1, 0]);
    expect(wordsOf(report, 'idempotency')).toContain('two payments for two requests at once');
  });

  it('of which one is refused for something else are a failure', async () => {
    const { status, report } = await examine({
      instead: counting((key, all) =>
        all > 2 && key === 2 ? problem(422, 'INSUFFICIENT_BALANCE') : undefined,
      ),
    });
    expect(status).toBe(1);
    expect(wordsOf(report, 'idempotency')).toContain('although the payment exists');
  });

  it('of which one fails were not checked', async () => {
    const { status, report, open } = await examine({
      instead: counting((key, all) => (all > 2 && key === 2 ? problem(500, 'X_Y') : undefined)),
    });
    expect([status, open]).toEqual([0, 0]);
    expect(wordsOf(report, 'idempotency')).toContain('were not checked');
  });
});

describe('an approval', () => {
  it('that the service ignores ends the check, with the transfer named', async () => {
    const { status, report, creates } = await examine({ ignoresApproval: true });
    expect([status, creates.length]).toEqual([1, 1]);
    expect(wordsOf(report, 'transfers.create')).toContain('ignores `requireApproval`');
    expect(report.open[0]).toMatch(
      /^transfer [\w-]+: not held for an approval \(CREATED\), pays 1\.01 usdc from/,
    );
  });

  it.each([
    ['is shown in the list only', (): unknown[] => [], 0],
    ['is shown nowhere', (): unknown[] => [{ status: 'PENDING_APPROVAL' }], 1],
  ])('that %s', async (_what, hide, failures) => {
    const isHidden = hide().length > 0;
    const { report, open } = await examine({
      instead: (request, right) => {
        if (isCreate(request)) return changed(right(), (details) => Object.assign(details, { receipt: {} }));
        if (isHidden && request.path === '/v2/transfer-approvals')
          return { body: { success: true, message: 'ok', count: 0, approvals: [] } };
        return undefined;
      },
    });
    expect(levelsOf(report, 'transfers.create').filter((level) => level === 'failure')).toHaveLength(
      failures,
    );
    expect(report.open).toHaveLength(failures);
    expect(open).toBe(failures);
  });

  it('that stays pending after its rejection is a failure', async () => {
    const { status, report } = await examine({ keepsPending: true });
    expect(status).toBe(1);
    expect(wordsOf(report, 'approvals.reject')).toContain('stays PENDING');
    expect(report.open).toHaveLength(2);
  });

  it('that cannot be rejected is left behind, and said so', async () => {
    const { status, report, open } = await examine({
      instead: ({ path }) => (path.endsWith('/reject') ? { status: 500, body: {} } : undefined),
    });
    expect([status, open]).toEqual([1, 2]);
    expect(report.open.join('\n')).toMatch(/transfer [\w-]+: its approval [\w-]+ may still be pending/);
  });
});

describe('a create', () => {
  it('whose response is lost is left behind, and ends the check', async () => {
    const { status, report, creates } = await examine({
      instead: counting((_key, _all, right) => {
        right();
        return { status: 504, body: {} };
      }),
    });
    expect([status, creates.length]).toEqual([1, 1]);
    expect(report.open[0]).toBe(`transfers.create: may have been made. requestId ${creates[0]?.requestId}`);
  });

  it('that the token may not make is a warning', async () => {
    const { status, report, creates } = await examine({
      instead: (request) => (isCreate(request) ? problem(403, 'UNAUTHORIZED') : undefined),
    });
    expect([status, creates.length, levelsOf(report, 'transfers.create')]).toEqual([0, 1, ['warning']]);
    expect(wordsOf(report, 'transfers.create')).toBe(
      'The token may not call this operation (HTTP 403, UNAUTHORIZED).',
    );
    expect(report.refusals).toEqual([]);
  });

  it('whose record belongs to another payment is a failure', async () => {
    const { status, report } = await examine({
      instead: counting((_key, _all, right) =>
        changed(right(), (details) => Object.assign(details, { amount: 9 })),
      ),
    });
    expect([status, levelsOf(report, 'transfers.create')]).toEqual([1, ['failure']]);
  });
});

describe('the account', () => {
  it('that is not deleted is left behind', async () => {
    const { status, report } = await examine({
      instead: ({ method }) => (method === 'DELETE' ? { status: 500, body: {} } : undefined),
    });
    expect(status).toBe(1);
    expect(report.open).toEqual([expect.stringMatching(/^account [\w-]+: not deleted$/)]);
  });

  it('that may have been created is left behind', async () => {
    const { report } = await examine({
      instead: ({ method, path }) =>
        method === 'POST' && path.endsWith('/accounts') ? { status: 500, body: {} } : undefined,
    });
    expect(report.open).toEqual(['account of Ada Example: may have been created, and was not deleted']);
  });
});

describe('a redirect of writes alone', () => {
  it.each([307, 308, 301, 302])('is told with its address, and is not followed: HTTP %i', async (code) => {
    const { status, report, service } = await examine({
      instead: ({ method, path }) =>
        method === 'GET'
          ? undefined
          : { status: code, headers: { location: `https://writes.example.com/pay${path}?planted=1` } },
    });
    expect(status).toBe(1);
    const line = `localhost:4010 redirects to https://writes.example.com/pay (HTTP ${code}), and the client follows no redirect. Set \`baseUrl\` to that address.`;
    expect(wordsOf(report, 'transfers.create')).toBe(line);
    expect(wordsOf(report, 'accounts.create')).toBe(line);
    expect(service.requests.filter(isCreate)).toHaveLength(1);
  });
});
