import { expect, it } from 'vitest';
import { AFRICA_ACCOUNT, bench, offramp, US_ACCOUNT, withUser } from './support.ts';

const line = 'x'.repeat(35);

async function send(wireMessage: unknown) {
  const { emulator, call } = bench();
  const body = offramp(emulator.createUser({ rails: ['usd'] }).userId);
  return call('POST', '/v2/offramps', { ...body, destination: { ...body.destination, wireMessage } });
}

it.each([
  ['one text of 140 characters', 'x'.repeat(140)],
  ['four lines in a text', [line, line, line, line].join('\n')],
  ['a list of four lines', [line, line, line, line]],
])('a wire message that is %s is accepted', async (_what, wireMessage) => {
  expect((await send(wireMessage)).status).toBe(201);
});

it.each([
  ['is its own', { ...US_ACCOUNT, rail: 'offramp' }, 'ACTIVE', 201],
  ['is not there, as any other text', undefined, 'ACTIVE', 201],
  ['pays onramps', US_ACCOUNT, 'ACTIVE', 400],
  ['has another currency', { ...AFRICA_ACCOUNT, rail: 'offramp' }, 'ACTIVE', 400],
  ['is still validated', { ...US_ACCOUNT, rail: 'offramp' }, 'PENDING', 400],
  ['was rejected', { ...US_ACCOUNT, rail: 'offramp' }, 'REJECTED', 400],
  ['is of another user', { ...US_ACCOUNT, rail: 'offramp' }, 'ACTIVE', 404],
] as const)('to an account that %s', async (_what, account, state, expected) => {
  const { call, emulator, userId } = withUser({ rails: ['usd', 'africa'] }, { accountValidation: 'manual' });
  let accountId = 'an-account';
  if (account !== undefined) {
    accountId = (await call('POST', `/v2/users/${userId}/accounts`, account)).body.id;
    emulator.validateAccount(accountId, { status: state });
  }
  const payer = expected === 404 ? emulator.createUser().userId : userId;
  const body = offramp(payer, { destination: { accountId, currency: 'usd' } });
  expect((await call('POST', '/v2/offramps', body)).status).toBe(expected);
  expect(emulator.payments()).toHaveLength(expected === 201 ? 1 : 0);
});

// Issue 61: "'USD' gets the hint of lower case that coins get."
it.each([
  ['EUR', "must be a currency in lower case: 'eur'"],
  ['stones', 'is not a currency of the emulator'],
])('the currency %j is refused, as in an onramp', async (currency, message) => {
  const { emulator, call } = bench();
  const body = offramp(emulator.createUser().userId, { destination: { accountId: 'a', currency } });
  const response = await call('POST', '/v2/offramps', body);
  expect(response.fields).toEqual([{ field: 'destination.currency', message }]);
});

it.each([
  ['of 141 characters in one line', 'x'.repeat(141)],
  ['of five lines in a text', [line, line, line, line, line].join('\n')],
  ['of five short lines in a text', 'a\nb\nc\nd\ne'],
  ['of five lines in a list', [line, line, line, line, line]],
  ['of a line of 36 characters in a list', [`${line}x`]],
  ['that is a number', 7],
])('a wire message %s is refused with the limits', async (_what, wireMessage) => {
  const { status, fields } = await send(wireMessage);
  expect(status).toBe(400);
  expect(fields).toEqual([
    {
      field: expect.stringMatching(/^destination\.wireMessage/),
      message: 'must be at most four lines of 35 characters',
    },
  ]);
});
