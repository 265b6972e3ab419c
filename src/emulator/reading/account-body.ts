import * as z from 'zod/mini';
import { isRecord } from '../../shared/values.ts';
import type { Dialect } from '../dialect/dialect.ts';
import type { NewAccount } from '../service/accounts.ts';
import { check, object, oneOfTexts, optionalText, text } from './check.ts';
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

const address = object({
  addressLine1: text,
  addressLine2: optionalText,
  city: text,
  stateProvinceRegion: text,
  postalCode: text,
  country: threeLetters,
});

/** Fields of a holder that the description of the service does not show. */
const more = {
  idType: z.nullish(oneOfTexts(['CC', 'CE', 'NIT', 'PASS', 'PEP'])),
  idNumber: optionalText,
  dateOfBirth: optionalText,
  nationality: optionalText,
  formationDate: optionalText,
};
const named = { type: oneOfTexts(['individual', 'business']), name: text };
const documentedHolder = object({ ...named, phone, email, address, ...more });
const shortHolder = object({
  ...named,
  phone: z.nullish(phone),
  email: z.nullish(email),
  address: z.nullish(address),
  ...more,
});
const addressedHolder = z.extend(shortHolder, { address });

const currency = (...values: [string, ...string[]]) => z.nullish(oneOfTexts(values));

/** The part of each region, which has the name of its `type`. */
const PARTS = {
  us: object({
    transferType: oneOfTexts(['ach', 'wire', 'swift']),
    accountType: z.nullish(oneOfTexts(['checking', 'savings', 'Checking', 'Savings'])),
    accountNumber: optionalText,
    routingNumber: optionalText,
    iban: optionalText,
    swiftCode: optionalText,
    bankName: text,
    bankAddress: z.nullish(z.union([text, address], { error: 'must be a text or an address' })),
    currency: currency('usd'),
  }),
  africa: object({
    financialInstitute: text,
    accountType: oneOfTexts(['momo', 'bank']),
    accountNumber: optionalText,
    currency: lowerCase('currency code'),
    country: lowerCase('three-letter country code'),
  }),
  brazil: object({ pixKey: text, currency: currency('brl') }),
  colombia: object({
    bankName: optionalText,
    bankCode: optionalText,
    accountNumber: text,
    accountType: oneOfTexts(['checking', 'savings']),
    currency: currency('cop'),
  }),
  argentina: object({
    accountType: oneOfTexts(['CVU', 'CBU', 'ALIAS']),
    accountNumber: text,
    currency: currency('ars'),
  }),
  mexico: object({
    speiProtocol: oneOfTexts(['clabe', 'debitcard', 'phonenum']),
    speiInstitutionCode: optionalText,
    speiClabe: text,
    currency: currency('mxn'),
  }),
  brazilGlobalNetwork: object({
    email: z.nullish(email),
    phone: z.nullish(phone),
    pix: optionalText,
    currency: currency('brl'),
  }),
  nigeriaGlobalNetwork: object({
    bankName: optionalText,
    accountNumber: optionalText,
    currency: currency('ngn'),
  }),
  mexicoGlobalNetwork: object({ speiClabe: optionalText, currency: currency('mxn') }),
  hongKongGlobalNetwork: object({
    bankName: text,
    accountNumber: text,
    swiftCode: text,
    bankCode: optionalText,
    transferType: z.nullish(oneOfTexts(['chats', 'fps', 'swift'])),
    currency: currency('hkd', 'usd'),
  }),
  chinaGlobalNetwork: swiftPart('usd', 'cny'),
  singaporeGlobalNetwork: swiftPart('usd', 'sgd'),
} as const satisfies Record<string, z.ZodMiniObject>;

function swiftPart(...currencies: [string, ...string[]]) {
  return object({
    bankName: optionalText,
    accountNumber: optionalText,
    swiftCode: optionalText,
    currency: currency(...currencies),
  });
}

/** The parts that the description of the service shows, with what it requires. */
const DOCUMENTED = {
  us: z.extend(PARTS.us, { currency: oneOfTexts(['usd']) }),
  africa: z.extend(PARTS.africa, { accountNumber: text }),
};

type Region = keyof typeof PARTS;

/** The regions whose parts the emulator checks. */
const REGIONS = Object.keys(PARTS).filter((name): name is Region => Object.hasOwn(PARTS, name));

const rail = oneOfTexts(['onramp', 'offramp']);

function regionBody(dialect: Dialect, region: Region) {
  const needsHolder = region === 'us' || region.endsWith('GlobalNetwork');
  const [accountHolder, part] =
    dialect.name === 'spec' && (region === 'us' || region === 'africa')
      ? [documentedHolder, DOCUMENTED[region]]
      : [needsHolder ? addressedHolder : z.nullish(shortHolder), PARTS[region]];
  const body = object({ rail, type: z.literal(region), accountHolder, [region]: part });
  return withRules(body, rulesOf(region));
}

/** The rules of a region about several fields. */
function rulesOf(region: Region): FieldRule[] {
  const holder = (...names: [string, ...string[]]) => oneGroup(names.map((name) => `accountHolder.${name}`));
  if (region === 'us') {
    return [
      oneGroup(
        ['us.accountNumber', 'us.routingNumber', 'us.accountType'],
        ['us.iban', 'us.swiftCode'],
        ['us.accountNumber', 'us.swiftCode'],
      ),
    ];
  }
  if (region === 'africa') return [where('rail', ['offramp'], holder('phone'))];
  if (!region.endsWith('GlobalNetwork')) return [];
  const person = holder('dateOfBirth', 'idNumber', 'nationality');
  return [
    where('accountHolder.type', ['individual'], person),
    where('accountHolder.type', ['business'], holder('formationDate', 'idNumber')),
  ];
}

const otherType = z.string().check(
  z.regex(new RegExp(`^(?!(?:${REGIONS.join('|')})$)[A-Za-z]{2,40}$`), {
    error: "must be the name of a region, such as 'us', 'africa' or 'brazil'",
  }),
);

/** The part of a region that the emulator has no rules for: its name and its fields are open. */
const openPart: FieldRule = (body) => {
  if (!isRecord(body)) return undefined;
  const { rail: _rail, type, accountHolder: _holder, ...parts } = body;
  const names = Object.keys(parts);
  const foreign = names.find((name) => REGIONS.some((region) => region === name));
  if (foreign !== undefined) return { field: 'type', message: `does not fit the part '${foreign}'` };
  const message = `must be one of ${REGIONS.join(', ')}, or a region whose details stand in '${String(type)}'`;
  return names.length === 0 ? { field: 'type', message } : undefined;
};
const otherBody = withRules(
  z.catchall(
    z.object({ rail, type: otherType, accountHolder: z.nullish(shortHolder) }),
    z.record(z.string(), z.unknown(), { error: 'must be an object' }),
  ),
  [openPart],
);

/** The body of a creation in a dialect. */
export function newAccount(dialect: Dialect): z.ZodMiniType<Record<string, unknown>> {
  return z.union([...REGIONS.map((region) => regionBody(dialect, region)), otherBody]);
}

/** A checked body; a 400 that names every field at fault by the rules of its region. */
export function checkNewAccount(dialect: Dialect, body: unknown): Record<string, unknown> {
  const region = isRecord(body) ? REGIONS.find((name) => name === body.type) : undefined;
  return region === undefined ? check(otherBody, body) : check(regionBody(dialect, region), body);
}

const anyAccount = z.looseObject({
  rail,
  type: z.string(),
  accountHolder: z.nullish(z.record(z.string(), z.unknown())),
});

/** The account to create, from a checked body. */
export function accountInBody(body: Record<string, unknown>): NewAccount {
  const { rail, type, accountHolder = null, ...parts } = anyAccount.parse(body);
  const part = parts[type] ?? Object.values(parts)[0];
  const details = isRecord(part) ? part : {};
  if (type === 'us') return { rail, type, accountHolder, us: details };
  if (type === 'africa') return { rail, type, accountHolder, africa: details };
  return { rail, type, accountHolder, details };
}
