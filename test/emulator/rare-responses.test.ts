import { expect, test } from 'vitest';
import { DIALECTS } from '../../src/emulator/dialect/dialect.ts';
import { problem, storeFailure } from '../../src/emulator/http/exchange.ts';
import { exactAmount } from '../../src/emulator/service/quotes.ts';
import { bench, onramp, US_ACCOUNT, withUser } from './support.ts';

test.each(['spec', 'field'] as const)('a mistake of the emulator is told without its words in %s', (name) => {
  const answer = problem(new Error('inner workings'), DIALECTS[name]);
  expect(answer.status).toBe(500);
  expect(JSON.stringify(answer)).not.toContain('inner workings');
});

test.each([
  ['an error', new Error('the disk is full')],
  ['a text', 'the disk is full'],
])('a failure to store that is %s is told with its reason', async (_what, error) => {
  const response = storeFailure(error);
  expect(response.status).toBe(500);
  expect(await response.text()).toContain('not acknowledged: the disk is full');
});

test.each([
  [2e15, 'is larger than'],
  [0.0000001, 'has more than six decimals'],
])('an amount of %d is refused', (amount, words) => {
  expect(() => exactAmount(amount, 'amount')).toThrow(words);
});

test.each([
  ['transfers.creat', "did you mean 'transfers.create'?"],
  ['0123456789', 'or one that was added'],
])('a fault of the operation %s is refused', (operation, words) => {
  const { emulator } = bench();
  expect(() => emulator.faults.inject({ kind: 'status', operation })).toThrow(words);
});

test.each([
  ['status', 'id'],
  ['accountId', 'accountId'],
] as const)('a missing field of a new account in the form %s is its %s', async (accountForm, field) => {
  const { emulator, call, userId } = withUser({ rails: ['usd'] }, { dialect: { accountForm } });
  emulator.faults.inject({ kind: 'missing-field', operation: 'accounts.create' });
  const { status, body } = await call('POST', `/v2/users/${userId}/accounts`, US_ACCOUNT);
  expect(status).toBe(201);
  expect(body).not.toHaveProperty(field);
  expect(emulator.state().accounts).toHaveLength(1);
});

test('a fault takes the field that it names from an added operation', async () => {
  const { emulator, call } = bench();
  const handle = () => ({ body: { from: 1, to: 2 } });
  emulator.route({ operation: 'refunds.list', method: 'GET', path: '/v2/refunds', handle });
  emulator.faults.inject({ kind: 'missing-field', operation: 'refunds.list', field: 'from' });
  expect((await call('GET', '/v2/refunds')).body).toEqual({ to: 2 });
});

test('the quote of an onramp is accepted in the process, too', async () => {
  const { emulator, call } = bench({ dialect: { acceptQuotes: ['onramps'] } });
  const { userId } = emulator.createUser({ rails: ['usd'] });
  const { body } = await call('POST', '/v2/onramps', onramp(userId));
  expect(body.transferDetails.status).toBe('OPEN_QUOTE');
  const accepted = emulator.acceptQuote(body.transferDetails.id);
  expect(accepted.transferDetails.status).not.toBe('OPEN_QUOTE');
});

test('a delivery that a reset overtakes is forgotten', async () => {
  const sent: string[] = [];
  let reset = () => {};
  const fetch = async (url: string) => {
    sent.push(url);
    reset();
    return new Response();
  };
  const webhook = { url: 'http://receiver.test/hooks', fetch };
  const { emulator, call, userId } = withUser({ rails: ['usd'] }, { accountValidation: 'manual', webhook });
  reset = () => emulator.reset();
  await call('POST', `/v2/users/${userId}/accounts`, US_ACCOUNT);
  await emulator.delivered();
  expect(sent).toEqual([webhook.url]);
  expect(emulator.deliveries.list()).toEqual([]);
});
