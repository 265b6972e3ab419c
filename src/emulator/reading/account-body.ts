import * as z from 'zod/mini';
import type { RegionalAccountType } from '../../shared/service/account-details.ts';
import { isRecord } from '../../shared/values.ts';
import type { Dialect } from '../dialect/dialect.ts';
import type { NewAccount } from '../service/accounts.ts';
import { AFRICAN_CURRENCIES, FIAT_CURRENCIES } from '../service/quotes.ts';
import { check, objectField, oneOfTexts, textField } from './check.ts';
import { type FieldRule, oneGroup, where, withRules } from './field-rules.ts';

const phone = z.string().check(
  z.regex(/^\+\d[\d\s().-]{5,20}$/, {
    error: "must be in international format, such as '+256700000000'",
  }),
);
const email = z
  .string()
  .check(z.regex(/^[^\s@]{1,200}@[^\s@]{1,200}$/, { error: 'must be an e-mail address' }));
const threeLetters = z
  .string()
  .check(z.regex(/^[A-Za-z]{3}$/, { error: 'must be a three-letter country code' }));
const lowerCase = (what: string) =>
  z.string().check(z.regex(/^[a-z]{3}$/, { error: `must be a lower-case ${what}` }));
/** A currency that the emulator does not know may be one of Africa. */
const africanCurrency = lowerCase('currency code').check(
  z.refine((code) => AFRICAN_CURRENCIES.includes(code) || !FIAT_CURRENCIES.includes(code), {
    error: 'is not a currency of Africa',
  }),
);

/**
 * An object of the fields of a table: `name!` is required, and the values of `name=a|b` are listed. A field without
 * values has the form of its name in `forms`, or is a text. `needed` names further fields that are required.
 */
function tableFields(table: string, forms: z.core.$ZodLooseShape = {}, needed: readonly string[] = []) {
  const shape = table.split(' ').map((field): [string, z.core.$ZodType] => {
    const [, name = '', mark, values] = /^(\w+)(!?)=?(.*)$/.exec(field) ?? [];
    const schema = values ? oneOfTexts(values.split('|')) : (forms[name] ?? textField);
    return [name, mark === '!' || needed.includes(name) ? schema : z.nullish(schema)];
  });
  return objectField(Object.fromEntries(shape));
}

const holderAddress = tableFields(
  'addressLine1! addressLine2 city! stateProvinceRegion! postalCode! country!',
  {
    country: threeLetters,
  },
);

/** The last five fields are not in the description of the service. */
const holder = (...needed: string[]) =>
  tableFields(
    'type!=individual|business name! phone email address idType=CC|CE|NIT|PASS|PEP idNumber dateOfBirth nationality formationDate',
    { phone, email, address: holderAddress },
    needed,
  );

/** The fields of each region, which stand in the part that has the name of its `type`. */
const PARTS: Readonly<Record<Region, string>> = {
  us: 'transferType!=ach|wire|swift accountType=checking|savings|Checking|Savings accountNumber routingNumber iban swiftCode bankName! bankAddress currency=usd',
  africa: 'financialInstitute! accountType!=momo|bank accountNumber currency! country!',
  brazil: 'pixKey! currency=brl',
  colombia: 'bankName bankCode accountNumber! accountType!=checking|savings currency=cop',
  argentina: 'accountType!=CVU|CBU|ALIAS accountNumber! currency=ars',
  mexico: 'speiProtocol!=clabe|debitcard|phonenum speiInstitutionCode speiClabe! currency=mxn',
  brazilGlobalNetwork: 'email phone pix currency=brl',
  nigeriaGlobalNetwork: 'bankName accountNumber currency=ngn',
  mexicoGlobalNetwork: 'speiClabe currency=mxn',
  hongKongGlobalNetwork:
    'bankName! accountNumber! swiftCode! bankCode transferType=chats|fps|swift currency=hkd|usd',
  chinaGlobalNetwork: 'bankName accountNumber swiftCode currency=usd|cny',
  singaporeGlobalNetwork: 'bankName accountNumber swiftCode currency=usd|sgd',
};

/** Fields whose texts have a form of their own. */
const FORMS: Partial<Record<Region, z.core.$ZodLooseShape>> = {
  us: { bankAddress: z.union([textField, holderAddress], { error: 'must be a text or an address' }) },
  africa: { currency: africanCurrency, country: lowerCase('three-letter country code') },
  brazilGlobalNetwork: { email, phone },
};

/** What the description of the service requires in the two regions that it shows, beyond what every service does. */
const DOCUMENTED: Partial<Record<Region, readonly string[]>> = {
  us: ['currency'],
  africa: ['accountNumber'],
};

type Region = 'us' | 'africa' | RegionalAccountType;

/** The regions whose parts the emulator checks. */
const REGIONS = Object.keys(PARTS).filter((name): name is Region => Object.hasOwn(PARTS, name));

const rail = oneOfTexts(['onramp', 'offramp']);

function regionBody({ name }: Dialect, region: Region) {
  const documented = name === 'spec' ? DOCUMENTED[region] : undefined;
  const isAddressed = region === 'us' || region.endsWith('GlobalNetwork');
  const anyHolder = isAddressed ? holder('address') : z.nullish(holder());
  const accountHolder = documented === undefined ? anyHolder : holder('phone', 'email', 'address');
  const part = tableFields(PARTS[region], FORMS[region], documented);
  return withRules(
    objectField({ rail, type: z.literal(region), accountHolder, [region]: part }),
    rulesOf(region),
  );
}

/** The rules of a region about several fields. */
function rulesOf(region: Region): FieldRule[] {
  const ofHolder = (...names: string[]) => oneGroup(names.map((name) => `accountHolder.${name}`));
  if (region === 'us') {
    return [
      oneGroup(
        ['us.accountNumber', 'us.routingNumber', 'us.accountType'],
        ['us.iban', 'us.swiftCode'],
        ['us.accountNumber', 'us.swiftCode'],
      ),
    ];
  }
  if (region === 'africa') return [where('rail', ['offramp'], ofHolder('phone'))];
  if (!region.endsWith('GlobalNetwork')) return [];
  const person = ofHolder('dateOfBirth', 'idNumber', 'nationality');
  return [
    where('accountHolder.type', ['individual'], person),
    where('accountHolder.type', ['business'], ofHolder('formationDate', 'idNumber')),
  ];
}

/** The body of a creation in a dialect. */
export function newAccount(dialect: Dialect): z.ZodMiniType<Record<string, unknown>> {
  return z.union(REGIONS.map((region) => regionBody(dialect, region)));
}

/** A checked body; a 400 that names every field at fault by the rules of its region. */
export function checkNewAccount(dialect: Dialect, body: unknown): Record<string, unknown> {
  const { type } = check(z.looseObject({ type: oneOfTexts(REGIONS) }), body);
  return check(regionBody(dialect, type), body);
}

const anyAccount = z.looseObject({
  rail,
  type: oneOfTexts(REGIONS),
  accountHolder: z.nullish(z.record(z.string(), z.unknown())),
});

/** The account to create, from a checked body. */
export function accountInBody(body: Record<string, unknown>): NewAccount {
  const { rail, type, accountHolder = null, ...parts } = anyAccount.parse(body);
  const details = parts[type];
  if (!isRecord(details)) throw new TypeError('A checked body has the part of its region');
  if (type === 'us') return { rail, type, accountHolder, us: details };
  if (type === 'africa') return { rail, type, accountHolder, africa: details };
  return { rail, type, accountHolder, details };
}
