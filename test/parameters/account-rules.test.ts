import { InvalidRequestError } from 'stablecoin-payments';
import { describe, expect, it } from 'vitest';
import { clientOf } from '../client/support.ts';

const holder = {
  type: 'individual',
  name: 'Ada',
  phone: '+1',
  email: 'a@b.c',
  address: {
    addressLine1: 'Street 1',
    city: 'Rome',
    stateProvinceRegion: 'RM',
    postalCode: '00100',
    country: 'IT',
  },
};
const domestic = {
  transferType: 'ach',
  bankName: 'Bank',
  currency: 'usd',
  accountType: 'checking',
  accountNumber: '1',
  routingNumber: '2',
};
const us = { rail: 'onramp', type: 'us', accountHolder: holder, us: domestic };
const africa = {
  rail: 'onramp',
  type: 'africa',
  africa: {
    financialInstitute: 'Bank',
    accountType: 'momo',
    accountNumber: '1',
    currency: 'ngn',
    country: 'NG',
  },
};

/** A copy with one dotted path set, or left out where the value is undefined. */
function having(body: object, path: string, value: unknown): Record<string, unknown> {
  const [first = '', ...rest] = path.split('.');
  const copy: Record<string, unknown> = { ...body };
  const inner = copy[first];
  if (rest.length > 0) copy[first] = having(Object(inner), rest.join('.'), value);
  else if (value === undefined) delete copy[first];
  else copy[first] = value;
  return copy;
}

/** The field and the message of the refusal; undefined if the account was sent. */
async function check(body: object) {
  let sent = 0;
  const { accounts } = clientOf(async () => {
    sent += 1;
    return Response.json({ id: 'a-1', userId: 'u-1' });
  });
  try {
    await accounts.create('u-1', JSON.parse(JSON.stringify(body)));
    expect(sent).toBe(1);
    return undefined;
  } catch (error) {
    if (!(error instanceof InvalidRequestError)) throw error;
    expect(sent).toBe(0);
    return [error.field, error.message];
  }
}
const faulty = (field: string, words: string) => [
  field,
  `accounts.create: \`${field}\` ${words}. Nothing was sent.`,
];
const missingText = 'must be a non-empty string, but is missing';
const missingObject = 'must be an object, but is missing';

describe('an account in the US', () => {
  it('is accepted with domestic numbers, or with an IBAN and without a kind', async () => {
    expect(await check(us)).toBeUndefined();
    const { accountNumber: _number, routingNumber: _routing, accountType: _kind, ...rest } = domestic;
    const foreign = { ...rest, iban: 'DE1', swiftCode: 'ABCD' };
    expect(await check({ ...us, us: foreign })).toBeUndefined();
    expect(await check(having(us, 'us.transferType', 'WIRE'))).toBeUndefined();
    expect(await check(having(us, 'accountHolder.type', 'business'))).toBeUndefined();
    for (const line of ['', 'Floor 2', null]) {
      expect(await check(having(us, 'accountHolder.address.addressLine2', line))).toBeUndefined();
    }
    expect(await check(having(us, 'us.accountType', 'savings'))).toBeUndefined();
  });

  it.each([
    ['rail', missingText],
    ['type', missingText],
    ['accountHolder', missingObject],
    ['accountHolder.type', "must be 'individual' or 'business', but is missing"],
    ['accountHolder.name', missingText],
    ['accountHolder.address', missingObject],
    ['accountHolder.address.addressLine1', missingText],
    ['accountHolder.address.city', missingText],
    ['accountHolder.address.stateProvinceRegion', missingText],
    ['accountHolder.address.postalCode', missingText],
    ['accountHolder.address.country', missingText],
    ['us', missingObject],
    ['us.transferType', "must be 'ach' or 'wire' or 'swift', but is missing"],
    ['us.bankName', missingText],
    ['us.accountType', "must be 'checking' or 'savings', but is missing"],
    ['us.accountNumber', `${missingText}, and so is \`us.iban\`: give one of them`],
    ['us.routingNumber', `${missingText}, and so is \`us.swiftCode\`: give one of them`],
  ])('needs %s', async (field, words) => {
    expect(await check(having(us, field, undefined))).toEqual(faulty(field, words));
  });

  it.each([
    ['accountHolder', 'Ada', 'must be an object, but is a string'],
    ['accountHolder.address.addressLine2', 7, 'must be a string, but is a number'],
    ['accountHolder.phone', '', 'must be a non-empty string, but is empty'],
    ['accountHolder.email', 7, 'must be a non-empty string, but is a number'],
    ['us.bankAddress', 7, 'must be a string, but is a number'],
    ['us.transferType', 'sepa', "must be 'ach' or 'wire' or 'swift', but is another string"],
    ['us.currency', 'eur', "must be 'usd', but is another string"],
    ['us.accountType', 'other', "must be 'checking' or 'savings', but is another string"],
    ['us.accountNumber', '', 'must be a non-empty string, but is empty'],
    ['us.iban', 7, 'must be a non-empty string, but is a number'],
    ['us.swiftCode', '', 'must be a non-empty string, but is empty'],
  ])('is refused for %s', async (field, value, words) => {
    const { accountType: _kind, ...rest } = domestic;
    const body = field === 'us.iban' ? { ...us, us: rest } : us;
    expect(await check(having(body, field, value))).toEqual(faulty(field, words));
  });

  it('needs only its details on another rail', async () => {
    expect(await check({ rail: 'offramp', type: 'us', us: {} })).toBeUndefined();
    expect(await check({ rail: 'offramp', type: 'us' })).toEqual(faulty('us', missingObject));
    expect(await check({ rail: 'offramp', type: 'us', us: {}, accountHolder: 7 })).toEqual(
      faulty('accountHolder', 'must be an object, but is a number'),
    );
  });

  it('has no details of Africa', async () => {
    expect(await check({ ...us, africa: {} })).toEqual(faulty('africa', "does not go with `type: 'us'`"));
  });
});

describe('an account in Africa', () => {
  it('is accepted without its holder, or with a whole one', async () => {
    expect(await check(africa)).toBeUndefined();
    expect(await check(having(africa, 'africa.accountType', 'Bank'))).toBeUndefined();
    expect(await check({ ...africa, accountHolder: holder })).toBeUndefined();
    expect(await check({ ...africa, accountHolder: {} })).toEqual(
      faulty('accountHolder.type', "must be 'individual' or 'business', but is missing"),
    );
  });

  it.each([
    ['africa', missingObject],
    ['africa.financialInstitute', missingText],
    ['africa.accountType', "must be 'momo' or 'bank', but is missing"],
    ['africa.currency', missingText],
    ['africa.country', missingText],
  ])('needs %s', async (field, words) => {
    expect(await check(having(africa, field, undefined))).toEqual(faulty(field, words));
  });

  it('needs only its details on another rail, and none of the US', async () => {
    expect(await check({ rail: 'offramp', type: 'africa', africa: {} })).toBeUndefined();
    expect(await check({ rail: 'offramp', type: 'africa' })).toEqual(faulty('africa', missingObject));
    expect(await check({ ...africa, us: {} })).toEqual(faulty('us', "does not go with `type: 'africa'`"));
  });
});

describe('an account elsewhere', () => {
  it.each(
    'brazil colombia argentina mexico brazilGlobalNetwork nigeriaGlobalNetwork mexicoGlobalNetwork hongKongGlobalNetwork chinaGlobalNetwork singaporeGlobalNetwork'
      .split(' ')
      .map((region) => [region]),
  )('needs its details: %s', async (region) => {
    expect(await check({ rail: 'onramp', type: region, [region]: {} })).toBeUndefined();
    expect(await check({ rail: 'onramp', type: region })).toEqual(faulty(region, missingObject));
  });

  it('needs nothing more where its region is not listed', async () => {
    expect(await check({ rail: 'onramp', type: 'europe' })).toBeUndefined();
    expect(await check({ rail: 'onramp', type: 'europe', us: {}, africa: {} })).toBeUndefined();
  });
});
