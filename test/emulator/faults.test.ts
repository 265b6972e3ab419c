import { createServer } from 'node:net';
import type { Emulator } from 'stablecoin-payments/emulator';
import { startEmulatorServer } from 'stablecoin-payments/emulator/node';
import { describe, expect, it } from 'vitest';
import { forms, type Reached } from './forms.ts';
import { bench, bridge, offramp, transfer, withUser } from './support.ts';

/** An emulator with a user. */
interface Tools extends Reached {
  readonly userId: string;
}

const faultsIn = forms.map(([name, reach]) => ({
  name,
  open: async (): Promise<Tools> => {
    const found = await reach({ seed: 1 });
    return { ...found, userId: found.emulator.createUser().userId };
  },
}));

describe.each(faultsIn)('faults of the emulator in the form $name', ({ open }) => {
  const post = ({ fetcher, base }: Tools, body: object, signal?: AbortSignal) =>
    fetcher(`${base}/v2/wallets/transfers`, {
      method: 'POST',
      headers: { authorization: 'Bearer x' },
      body: JSON.stringify(body),
      ...(signal === undefined ? {} : { signal }),
    });

  it.each([
    ['reset-before-commit', 0],
    ['reset-after-commit', 1],
  ] as const)('%s breaks the connection with %i transfers made, once', async (kind, made) => {
    const tools = await open();
    tools.emulator.faults.inject({ kind, operation: 'transfers.create' });
    const request = transfer(tools.userId);
    await expect(post(tools, request)).rejects.toThrow(TypeError);
    expect(tools.emulator.state().transfers).toHaveLength(made);
    expect((await tools.call('POST', '/v2/wallets/transfers', request)).status).toBe(201);
    expect(tools.emulator.state().transfers).toHaveLength(1);
  });

  it('stall-headers holds the answer until the caller goes away, and the transfer is made', async () => {
    const tools = await open();
    tools.emulator.faults.inject({ kind: 'stall-headers' });
    const leaving = new AbortController();
    const answer = post(tools, transfer(tools.userId), leaving.signal);
    await reached(tools.emulator);
    leaving.abort(new Error('enough'));
    await expect(answer).rejects.toThrow('enough');
    expect(tools.emulator.state().transfers).toHaveLength(1);
  });

  it('stall-body sends the headers and half of the body', async () => {
    const tools = await open();
    tools.emulator.faults.inject({ kind: 'stall-body' });
    const leaving = new AbortController();
    const response = await post(tools, transfer(tools.userId), leaving.signal);
    expect(response.status).toBe(201);
    const reader = response.body?.getReader();
    const first = await reader?.read();
    expect(new TextDecoder().decode(first?.value)).toMatch(/^\{"transferType"/);
    const rest = reader?.read();
    leaving.abort(new Error('enough'));
    await expect(rest).rejects.toThrow();
  });

  it('cut-body sends the headers and breaks off in the body', async () => {
    const tools = await open();
    tools.emulator.faults.inject({ kind: 'cut-body' });
    const response = await post(tools, transfer(tools.userId));
    expect(response.status).toBe(201);
    await expect(response.text()).rejects.toThrow(TypeError);
    expect(tools.emulator.state().transfers).toHaveLength(1);
  });

  it('of an operation that does not exist is refused with the nearest name', () => {
    const { emulator } = bench();
    emulator.route({
      operation: 'lookup.transfer',
      method: 'GET',
      path: '/v2/x',
      handle: () => ({ body: 1 }),
    });
    for (const [wrong, right] of [
      ['transfer.create', 'transfers.create'],
      ['lookup.transfers', 'lookup.transfer'],
    ] as const)
      expect(() => emulator.faults.inject({ operation: wrong, kind: 'latency' })).toThrow(
        `operation: is not '*', an operation such as 'onramps.create' or one that was added; did you mean '${right}'?`,
      );
  });

  it('status answers in the documented shape with Retry-After, before anything is done', async () => {
    const tools = await open();
    tools.emulator.faults.inject({ kind: 'status', status: 429, retryAfter: 7, times: 2 });
    tools.emulator.faults.inject({ kind: 'status' });
    tools.emulator.faults.inject({ kind: 'status', retryAfter: 'Wed, 04 Mar 2026 13:00:00 GMT' });
    const request = transfer(tools.userId);
    for (let time = 0; time < 2; time += 1) {
      const limited = await tools.call('POST', '/v2/wallets/transfers', request);
      expect([limited.status, limited.headers.get('retry-after'), limited.body.error.code]).toEqual([
        429,
        '7',
        'INJECTED_FAULT',
      ]);
    }
    const failed = await tools.call('POST', '/v2/wallets/transfers', request);
    expect([failed.status, failed.body]).toEqual([
      500,
      { code: 700001, error: 'INTERNAL_ERROR', errorDetails: expect.any(String) },
    ]);
    const busy = await tools.call('POST', '/v2/wallets/transfers', request);
    expect([busy.status, busy.headers.get('retry-after')]).toEqual([503, 'Wed, 04 Mar 2026 13:00:00 GMT']);
    expect(tools.emulator.state().transfers).toEqual([]);
  });

  it('status may strike after the commit', async () => {
    const tools = await open();
    tools.emulator.faults.inject({ kind: 'status', status: 502, commit: true });
    tools.emulator.faults.inject({ kind: 'status', status: 304 });
    const request = transfer(tools.userId);
    expect((await tools.call('POST', '/v2/wallets/transfers', request)).status).toBe(502);
    expect(tools.emulator.state().transfers).toHaveLength(1);
    expect((await tools.call('GET', '/v2/transfer-approvals')).status).toBe(304);
  });

  it('latency delays the answer, and a caller need not wait for it', async () => {
    const tools = await open();
    tools.emulator.faults.inject({ kind: 'latency', latency: 30 });
    const started = performance.now();
    expect((await tools.call('POST', '/v2/wallets/transfers', transfer(tools.userId))).status).toBe(201);
    expect(performance.now() - started).toBeGreaterThan(25);
    tools.emulator.faults.inject({ kind: 'latency', latency: 600_000 });
    const leaving = new AbortController();
    const answer = post(tools, transfer(tools.userId), leaving.signal);
    await reached(tools.emulator, 2);
    leaving.abort(new Error('enough'));
    await expect(answer).rejects.toThrow('enough');
  });

  it('malformed-json spoils the text of a success', async () => {
    const tools = await open();
    tools.emulator.faults.inject({ kind: 'malformed-json' });
    const response = await post(tools, transfer(tools.userId));
    const text = await response.text();
    expect(response.status).toBe(201);
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
  });
});

/** Resolves once the emulator has answered so many calls of an operation, delivered or not. */
async function reached(emulator: Emulator, count = 1): Promise<void> {
  while (emulator.requests().filter(({ operation }) => operation !== null).length < count) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('faults in the body', () => {
  const spoiled = async (
    kind: 'unknown-enum' | 'unknown-field' | 'missing-field' | 'wrong-type',
    path: string,
    {
      field,
      make = transfer,
    }: { field?: string; make?: typeof transfer | typeof bridge | typeof offramp } = {},
  ) => {
    const { call, emulator, userId } = withUser({ rails: ['usd'] });
    await call('POST', '/v2/wallets/transfers', transfer(userId, { requireApproval: true }));
    emulator.faults.inject({ kind, ...(field === undefined ? {} : { field }) });
    const target = path.replace('{user}', userId).replace('{metric}', emulator.state().metrics[0]?.id ?? '');
    const [method = '', address = ''] = target.split(' ');
    return (await call(method, address, method === 'POST' ? make(userId) : undefined)).body;
  };

  it('put a value into an enum that the spec does not know', async () => {
    expect(
      (await spoiled('unknown-enum', 'POST /v2/offramps', { make: offramp })).transferDetails.status,
    ).toBe('STATE_OF_TOMORROW');
    expect((await spoiled('unknown-enum', 'GET /v2/transfer-approvals')).approvals[0].status).toBe(
      'STATE_OF_TOMORROW',
    );
    expect((await spoiled('unknown-enum', 'GET /v2/users/{user}/kyc')).kycInfo.type).toBe(
      'STATE_OF_TOMORROW',
    );
    expect(
      (await spoiled('unknown-enum', 'GET /v2/users/{user}/kyc', { field: 'kycInfo.govIdType' })).kycInfo
        .govIdType,
    ).toBe('STATE_OF_TOMORROW');
  });

  it('add fields that the spec does not know', async () => {
    const body = await spoiled('unknown-field', 'POST /v2/wallets/bridges', { make: bridge });
    expect(body).toHaveProperty('fieldOfTomorrow');
    expect(body.transferDetails).toHaveProperty('fieldOfTomorrow');
    expect(await spoiled('unknown-field', 'GET /v2/users/{user}/wallets/external')).toHaveProperty(
      'fieldOfTomorrow',
    );
  });

  it('leave out the field without which the answer is useless', async () => {
    expect((await spoiled('missing-field', 'POST /v2/wallets/transfers')).transferDetails).not.toHaveProperty(
      'id',
    );
    expect(await spoiled('missing-field', 'GET /v2/users/{user}/accounts')).toEqual({ count: 0 });
    expect(await spoiled('missing-field', 'GET /v2/reporting/metrics/{metric}/results')).not.toHaveProperty(
      'data',
    );
    expect(
      await spoiled('missing-field', 'GET /v2/transfer-approvals', { field: 'count' }),
    ).not.toHaveProperty('count');
  });

  it('give a field another type', async () => {
    expect((await spoiled('wrong-type', 'GET /v2/users/{user}/kyc')).kycInfo).toBe(12345);
    expect((await spoiled('wrong-type', 'GET /v2/transfer-approvals', { field: 'count' })).count).toBe(
      'not a number',
    );
    const list = await spoiled('wrong-type', 'GET /v2/transfer-approvals', { field: 'approvals.0' });
    expect(list.approvals).toEqual([12345]);
  });

  it('change nothing where there is no such field, and no refusal', async () => {
    const body = await spoiled('wrong-type', 'GET /v2/transfer-approvals', { field: 'approvals.7.votes.x' });
    expect(body.approvals).toHaveLength(1);
    const { call, emulator } = bench();
    emulator.faults.inject({ kind: 'missing-field' });
    expect((await call('GET', '/v2/users/none/kyc')).body.error.code).toBe('USER_NOT_FOUND');
  });

  it('do not reach the ledger: the replay is whole', async () => {
    const { call, emulator } = bench();
    const request = transfer(emulator.createUser().userId);
    emulator.faults.inject({ kind: 'missing-field' });
    await call('POST', '/v2/wallets/transfers', request);
    const { id } = (await call('POST', '/v2/wallets/transfers', request)).body.transferDetails;
    expect(id).toBe(emulator.state().transfers[0]?.id);
  });
});

describe('injecting', () => {
  it('strikes the named operation so many times, the oldest fault first, and shows what is left', async () => {
    const { call } = bench();
    const inject = (body: object) => call('POST', '/_emulator/faults', body);
    const added = await inject({ operation: 'approvals.list', kind: 'status', status: 418, times: 2 });
    expect([added.status, added.body]).toEqual([
      201,
      // A record with a numeric status at its top is an error shape (row 8): "in a form that is no error shape".
      { fault: { id: 'fault-1', operation: 'approvals.list', kind: 'status', status: 418, times: 2 } },
    ]);
    await inject({ operation: 'approvals.list', kind: 'status', status: 503 });
    expect((await call('GET', '/v2/users/x/kyc')).status).toBe(404);
    const list = async () => (await call('GET', '/v2/transfer-approvals')).status;
    expect(await list()).toBe(418);
    expect(
      (await call('GET', '/_emulator/faults')).body.faults.map((fault: { times: number }) => fault.times),
    ).toEqual([1, 1]);
    expect([await list(), await list(), await list()]).toEqual([418, 503, 200]);
  });

  it('is undone for an operation, a kind or everything', async () => {
    const { call, emulator } = bench();
    emulator.faults.inject({ kind: 'latency', operation: 'kyc.retrieve' });
    emulator.faults.inject({ kind: 'cut-body', operation: 'kyc.retrieve' });
    emulator.faults.inject({ kind: 'latency' });
    const clear = async (body?: object) => (await call('DELETE', '/_emulator/faults', body)).body;
    expect((await clear({ operation: 'kyc.retrieve', kind: 'cut-body' })).cleared).toBe(1);
    expect((await clear({ operation: 'kyc.retrieve' })).cleared).toBe(1);
    expect(await clear()).toEqual({ cleared: 1, faults: [] });
    expect(emulator.faults.clear()).toBe(0);
  });

  it.each([
    {},
    { kind: 'lightning' },
    { kind: 'latency', operation: 'transfers.cancel' },
    { kind: 'latency', times: 0 },
    { kind: 'latency', latency: -1 },
    { kind: 'status', status: 200 },
    { kind: 'status', retryAfter: 'a\nb' },
  ])('refuses %j', async (fault) => {
    const { call, emulator } = bench();
    expect((await call('POST', '/_emulator/faults', fault)).status).toBe(400);
    expect(() => emulator.faults.inject(fault as never)).toThrow();
    expect(emulator.faults.list()).toEqual([]);
  });

  it('has a limit', () => {
    const { emulator } = bench();
    for (let i = 0; i < 1000; i += 1) emulator.faults.inject({ kind: 'latency' });
    expect(() => emulator.faults.inject({ kind: 'latency' })).toThrow('1000 faults');
  });
});

describe('closing the server', () => {
  it('releases what a stall holds', async () => {
    const server = await startEmulatorServer({ seed: 1 });
    server.emulator.faults.inject({ kind: 'stall-headers', operation: 'approvals.list' });
    server.emulator.faults.inject({ kind: 'stall-body', operation: 'kyc.retrieve' });
    const headers = { authorization: 'Bearer x' };
    const first = fetch(`${server.url}/v2/transfer-approvals`, { headers });
    const { userId } = server.emulator.createUser();
    const second = await fetch(`${server.url}/v2/users/${userId}/kyc`, { headers });
    await reached(server.emulator, 2);
    await Promise.all([
      server.close(),
      expect(first).rejects.toThrow(),
      expect(second.text()).rejects.toThrow(),
    ]);
    const free = createServer();
    await new Promise<void>((resolve) => free.listen(server.port, '127.0.0.1', resolve));
    await new Promise((resolve) => free.close(resolve));
  });
});
