import { expect, it } from 'vitest';
import { usParams } from '../operations.ts';
import { type CallName, having, payments, refused } from './support.ts';

/** A number of a library for decimals, as far as JSON takes it. */
class Decimal {
  readonly digits = [5];
}

const { transfer, batch, onramp, offramp } = payments;
const derive = "Derive it from your own key with `requestIdFrom('invoice', id)`.";
const more = 'Send what the types do not list with the option `extraBody`.';
const ofTransfer = (field: string, value: unknown) => having(transfer, field, value);
const to = (destination: object) => ({ ...transfer, destination });
const text = 'must be a non-empty string';
const amount = 'must be a number or a decimal string such as 25.5';
const limit = '`limit` must be a whole number from 1 to 100';
const recipients = (count: number) => Array.from({ length: count }, () => ({ userId: 'a', amount: '1' }));

it.each<[call: CallName, params: unknown, sentence: string]>([
  [
    'transfer',
    { ...transfer, requestId: undefined },
    `\`requestId\` is undefined. Leave the field out, or give a UUID. ${derive}`,
  ],
  ['transfer', ofTransfer('requestId', null), `\`requestId\` must be a UUID, but is null. ${derive}`],
  ['transfer', ofTransfer('requestId', ' '), `\`requestId\` must be a UUID, but is empty. ${derive}`],
  ['transfer', ofTransfer('requestId', 7), `\`requestId\` must be a UUID, but is a number. ${derive}`],
  ['transfer', ofTransfer('requestId', 'invoice-42'), `\`requestId\` must be a UUID. ${derive}`],
  [
    'transfer',
    ofTransfer('idempotencyKey', 'k'),
    `\`idempotencyKey\` is not a parameter. Did you mean \`requestId\`? ${more}`,
  ],
  [
    'transfer',
    ofTransfer('source.idempotencyKey', 'k'),
    `\`source.idempotencyKey\` is not a parameter. Possible names: \`userId\`. ${more}`,
  ],
  [
    'approvals',
    { idempotencyKey: 'k' },
    '`idempotencyKey` is not a parameter. Possible names: `limit`, `offset`. Send what the types do not list with the option `query`.',
  ],
  [
    'transfer',
    ofTransfer('source.hold', true),
    `\`source.hold\` is not a parameter. Possible names: \`userId\`. ${more}`,
  ],
  [
    'transfer',
    ofTransfer('source.amount', 1),
    `\`source.amount\` is not a parameter. Did you mean \`amount\` at the top of the parameters? ${more}`,
  ],
  [
    'transfer',
    ofTransfer('timeout', 1),
    '`timeout` is not a parameter. `timeout` is an option of the call: pass it in the last argument.',
  ],
  ['transfer', 7, 'the parameters must be an object, but are a number.'],
  // The other recipient was not given: what is missing here does not make it the one that is meant.
  [
    'onramp',
    { ...onramp, destination: { userId: 5, amount: 5 } },
    `\`destination.userId\` ${text}, but is a number.`,
  ],
  ['transfer', ofTransfer('amount', -1), '`amount` must be above 0.'],
  ['transfer', ofTransfer('amount', {}), `\`amount\` ${amount}, but is an object.`],
  [
    'transfer',
    ofTransfer('amount', new Decimal()),
    `\`amount\` ${amount}, but is an object of a class; convert it with \`.toNumber()\`.`,
  ],
  [
    'batch',
    having(batch, 'destination.batch.1.amount', new Decimal()),
    `\`destination.batch[1].amount\` ${amount}, but is an object of a class; convert it with \`.toString()\`.`,
  ],
  [
    'transfer',
    ofTransfer('currency', new Decimal()),
    `\`currency\` ${text}, but is an object of a class; convert it with \`.toString()\`.`,
  ],
  [
    'approvals',
    { limit: new Decimal() },
    `${limit}, but is an object of a class; convert it with \`.toNumber()\`.`,
  ],
  ['approvals', { limit: 500 }, `${limit}.`],
  ['approvals', { limit: '5' }, `${limit}, but is a string.`],
  ['transfer', ofTransfer('currency', ' '), `\`currency\` ${text}, but is empty.`],
  [
    'transfer',
    ofTransfer('requireApproval', 'yes'),
    '`requireApproval` must be true or false, but is a string.',
  ],
  ['transfer', ofTransfer('fee', { type: 'FIX', value: -1 }), '`fee.value` must be 0 or more.'],
  ['approve', { comment: 'x'.repeat(1_001) }, '`comment` must be a string of at most 1000 characters.'],
  [
    'account',
    having(usParams, 'us.accountType', 7),
    "`us.accountType` must be 'checking' or 'savings', but is a number.",
  ],
  ['account', having(usParams, 'us.accountType', 'x'), "`us.accountType` must be 'checking' or 'savings'."],
  ['account', having(usParams, 'us.currency', 'x'), "`us.currency` must be 'usd'."],
  [
    'batch',
    having(batch, 'destination.batch', recipients(51)),
    '`destination.batch` must be a list of from 1 to 50 recipients, but has 51.',
  ],
  [
    'transfer',
    to({ userId: 'a', walletAddress: 'b' }),
    '`destination.walletAddress` does not go with `userId`; give only one of them.',
  ],
  [
    'transfer',
    to({}),
    `\`destination.userId\` ${text}, but is missing, and so is \`walletAddress\`; give one of them.`,
  ],
  [
    'transfer',
    to({ userId: null }),
    `\`destination.userId\` ${text}, but is null, and \`walletAddress\` is missing; give one of them.`,
  ],
  [
    'transfer',
    to({ walletAddress: null }),
    `\`destination.userId\` ${text}, but is missing, and \`walletAddress\` is null; give one of them.`,
  ],
  [
    'transfer',
    to({ userId: null, walletAddress: null }),
    `\`destination.userId\` ${text}, but is null, and \`walletAddress\` is null; give one of them.`,
  ],
  ['transfer', to({ userId: 7 }), `\`destination.userId\` ${text}, but is a number.`],
  ['transfer', to({ walletAddress: 7 }), `\`destination.walletAddress\` ${text}, but is a number.`],
  ['transfer', to({ userId: '' }), `\`destination.userId\` ${text}, but is empty.`],
  [
    'onramp',
    having(onramp, 'source.amount', undefined),
    `\`source.amount\` ${amount}, but is missing, and so is \`destination.amount\`; give one of them.`,
  ],
  [
    'offramp',
    having(offramp, 'source.amount', null),
    `\`source.amount\` ${amount}, but is null, and \`destination.amount\` is missing; give one of them.`,
  ],
])('a wrong parameter is refused with what is wrong and what to do (%#)', async (call, params, sentence) => {
  const { message, field } = await refused(call, params);
  expect(field).toBe(/^`([^`]+)`/.exec(sentence)?.[1] ?? 'params');
  expect(message.replace(/^\w+\.\w+: (.*) Nothing was sent\.$/, '$1')).toBe(sentence);
});
