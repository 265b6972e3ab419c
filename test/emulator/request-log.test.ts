import { describe, expect, it } from 'vitest';
import { bench, transfer, withUser } from './support.ts';

describe('a logged request', () => {
  it('has its headers and bodies, with secrets masked', async () => {
    const { call, userId } = withUser();
    const body = transfer(userId, {
      destination: { userId, apiKey: 'k-3', nested: [{ accessToken: 't-4', note: 'keep' }] },
    });
    await call('POST', '/v2/wallets/transfers?trace=on&access_token=q-5', body, {
      authorization: 'Bearer s-1',
      cookie: 'session=s-2',
      'x-api-key': 's-6',
      'idempotency-key': 'shown',
    });
    const {
      text,
      body: { record: detail },
    } = await call('GET', '/_emulator/records/request-1');
    for (const secret of ['s-1', 's-2', 'k-3', 't-4', 'q-5', 's-6']) expect(text).not.toContain(secret);
    expect(detail).toMatchObject({
      id: 'request-1',
      method: 'POST',
      requestId: body.requestId,
      status: 400,
    });
    expect(detail.target).toBe('/v2/wallets/transfers?trace=on&access_token=••••••');
    const headers = new Map(detail.headers);
    expect(headers.get('authorization')).toBe('Bearer ••••••');
    expect(headers.get('idempotency-key')).toBe('shown');
    expect(JSON.parse(detail.body).destination.nested).toEqual([{ accessToken: '••••••', note: 'keep' }]);
    expect(JSON.parse(detail.responseBody).error.code).toBe('FIELD_VALIDATION_ERROR');
    expect(new Map(detail.responseHeaders).get('content-type')).toContain('application/json');
  });

  it('shows no credential of a body that is no JSON', async () => {
    const { call } = bench();
    await call(
      'POST',
      '/v2/onramps',
      '{"token": "s-1", "note": "keep", Authorization: Bearer s-2, "secret": "s-3',
    );
    const { record } = (await call('GET', '/_emulator/records/request-1')).body;
    expect(record.body).toContain('keep');
    for (const secret of ['s-1', 's-2', 's-3']) expect(record.body).not.toContain(secret);
  });

  it('that a fault kept from responding has no response', async () => {
    const { emulator, call } = bench();
    emulator.faults.inject({ kind: 'reset-after-commit' });
    await expect(call('GET', '/v2/transfer-approvals')).rejects.toThrow();
    expect((await call('GET', '/_emulator/records/request-1')).body.record).toMatchObject({
      status: null,
      responseBody: null,
      responseHeaders: [],
      fault: 'reset-after-commit',
    });
  });

  it('keeps no body that is very large', async () => {
    const { call, userId } = withUser();
    await call(
      'POST',
      '/v2/wallets/transfers',
      transfer(userId, { destination: { userId, name: 'x'.repeat(70_000) } }),
    );
    expect((await call('GET', '/_emulator/records/request-1')).body.record.body).toBeNull();
  });
});
