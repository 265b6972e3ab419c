import { expect, it } from 'vitest';
import type { RequestBody } from '../../src/client/other-operations/request-body.ts';
import { refusalsOf } from '../../src/shared/outcome/names.ts';
import { isErrorShape } from '../../src/shared/outcome/refusal.ts';
import { clientOf } from '../client/support.ts';
import { bench, onramp, transfer, US_ACCOUNT } from './support.ts';

// "the emulator's control routes answer in a form that is no error shape": else the client calls what was done unknown.
it('every route of the emulator itself responds in a form that the client takes for a success', async () => {
  const webhook = { url: 'http://hook.test/', fetch: async () => new Response(null, { status: 500 }) };
  const { emulator, call } = bench({ webhook, accountValidation: 'manual' });
  const payments = clientOf(emulator.fetch, { retries: 0 });
  const { userId } = emulator.createUser({ rails: ['usd'] });
  const onrampIds: string[] = [];
  for (let made = 0; made < 2; made += 1)
    onrampIds.push((await call('POST', '/v2/onramps', onramp(userId))).body.transferDetails.id);
  const account = (await call('POST', `/v2/users/${userId}/accounts`, US_ACCOUNT)).body.id;
  for (let made = 0; made < 2; made += 1)
    await call('POST', '/v2/wallets/transfers', transfer(userId, { requireApproval: true }));
  await emulator.delivered();
  const approvals = emulator.state().approvals.map(({ id }) => id);
  const failed = { status: 'FIAT_FAILED', error: 'INTERNAL_ERROR', errorDetails: 'No' };
  const sent = { method: 'POST', path: '/v2/nowhere', body: {} };
  const requests: [string, string, RequestBody?][] = [
    ['POST', '/requests', sent],
    ['POST', '/requests/request-1/send'],
    ['POST', '/users', { rails: ['usd'], kyc: { status: 500 } }],
    ['POST', `/users/${userId}/external-wallets`, { name: 'error' }],
    ['POST', '/metrics', { name: 'ERROR', rows: [{ periodStart: '2026-01-01', error: 1 }] }],
    ['POST', '/balances', { userId, currency: 'usdc', chain: 'POLYGON', amount: 500 }],
    ['POST', '/clock', { advance: '1s' }],
    ['POST', `/onramps/${onrampIds[0]}/deposit`],
    ['POST', `/onramps/${onrampIds[1]}/advance`, failed],
    ['POST', `/accounts/${account}/validate`, { status: 'REJECTED', invalidFields: ['us'] }],
    ['POST', `/approvals/${approvals[0]}/approve`],
    ['POST', `/approvals/${approvals[1]}/reject`],
    ['POST', '/faults', { kind: 'status', status: 503 }],
    ['DELETE', '/faults', {}],
    ['POST', '/events/hold'],
    ['POST', '/events/release'],
    ['POST', `/deliveries/${emulator.deliveries.list()[0]?.id}/redeliver`],
    ['PUT', '/snapshot', { ...emulator.snapshot() }],
    ['POST', '/reset'],
  ];
  for (const [method, path, body] of requests) {
    const request = { method, path: `/_emulator${path}`, ...(body !== undefined && { body }) };
    const response = await payments.request(request as { method: 'POST'; path: string });
    expect(isErrorShape(response, refusalsOf()), `${method} ${path} ${JSON.stringify(response)}`).toBe(false);
  }
});
