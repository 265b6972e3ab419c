import type {
  AddressParams,
  AfricaAccountParams,
  RegionalAccountParams,
  RegionalAccountType,
  UsAccountParams,
  UsInternationalAccountParams,
} from './account-details.ts';
import { regionalAccountFields } from './account-regions.ts';
import type { AccountCreateParams, AccountHolderParams, AccountListParams } from './accounts.ts';
import {
  anyText,
  atLeastOne,
  either,
  maybe,
  nullable,
  type OptionalParam,
  object,
  oneOf,
  type Param,
  type Rule,
  text,
  texts,
  variants,
  wholeNumber,
} from './param.ts';
import { lazy } from './response-shape.ts';

/** What the spec requires of accounts that pay onramps may be missing on other rails: they are the service's own. */
type Need = <T>(schema: Param<T>) => Param<T>;

const required: Need = (schema) => schema;

const address = (need: Need) =>
  object<AddressParams>({
    addressLine1: need(text()),
    addressLine2: nullable(anyText()),
    city: need(text()),
    stateProvinceRegion: need(text()),
    postalCode: need(text()),
    country: need(text()),
  });

const holder = (need: Need, itsAddress: Param<AddressParams>) =>
  variants<AccountHolderParams>({
    type: need(oneOf('individual', 'business')),
    name: need(text()),
    address: itsAddress,
    ...texts('phone email idType idNumber dateOfBirth nationality formationDate'),
  });

const us = (need: Need, values: (...known: readonly string[]) => Param<string>, ...rules: readonly Rule[]) =>
  variants<UsAccountParams | UsInternationalAccountParams>(
    {
      transferType: need(values('ach', 'wire', 'swift')),
      accountType: maybe(values('checking', 'savings')),
      bankName: need(text()),
      currency: maybe(values('usd')),
      bankAddress: maybe(either(address(maybe), anyText(), 'must be an address or a string')),
      ...texts('accountNumber routingNumber iban swiftCode'),
    },
    ...rules,
  );

const africa = (need: Need) =>
  object<AfricaAccountParams>({
    financialInstitute: need(text()),
    accountType: need(oneOf('momo', 'bank')),
    accountNumber: maybe(text()),
    currency: need(text()),
    country: need(text()),
  });

/** An account that is reached from abroad may have no kind. */
const kindInTheCountry: Rule = ({ accountType, iban, swiftCode }) =>
  accountType === undefined && iban === undefined && swiftCode === undefined
    ? { path: 'accountType', why: "must be 'checking' or 'savings', but is missing" }
    : undefined;

type Regions = { readonly [Region in RegionalAccountType]: OptionalParam<RegionalAccountParams[Region]> };

const regions = /* @__PURE__ */ lazy(
  () =>
    // Object.fromEntries widens the names; they are known to be those of the regions.
    Object.fromEntries(
      Object.entries(regionalAccountFields).map(([region, names]) => [
        region,
        maybe(object<Record<string, string>>(texts<string>(names.join(' ')))),
      ]),
    ) as unknown as Regions,
);

const account = (
  itsHolder: Param<AccountHolderParams>,
  details: { us?: ReturnType<typeof us>; africa?: ReturnType<typeof africa> },
) =>
  variants<AccountCreateParams>(
    {
      rail: text(),
      type: text<AccountCreateParams['type']>(),
      accountHolder: itsHolder,
      us: maybe(details.us ?? us(maybe, text)),
      africa: maybe(details.africa ?? africa(maybe)),
      ...regions(),
    },
    detailsOfType,
  );

const parts: readonly string[] = ['us', 'africa', ...Object.keys(regionalAccountFields)];

/** The details of an account are in the field that is named like its type, and in no other. */
const detailsOfType: Rule = (body) => {
  const { type } = body;
  if (typeof type !== 'string' || !parts.includes(type)) return undefined;
  const other = parts.find((name) => name !== type && body[name] !== undefined);
  if (other !== undefined) return { path: other, why: `does not go with \`type: '${type}'\`` };
  return body[type] === undefined ? { path: type, why: 'must be an object, but is missing' } : undefined;
};

/** An account in the US that pays onramps, as the spec describes it. */
const usOnrampAccount = /* @__PURE__ */ lazy(() =>
  account(holder(required, address(required)), {
    us: us(
      required,
      oneOf,
      kindInTheCountry,
      atLeastOne('accountNumber', 'iban'),
      atLeastOne('routingNumber', 'swiftCode'),
    ),
  }),
);

/** An account in Africa that pays onramps, as the spec describes it. Some services want no holder. */
const africaOnrampAccount = /* @__PURE__ */ lazy(() =>
  account(maybe(holder(required, maybe(address(maybe)))), { africa: africa(required) }),
);

/** An account on another rail or in another region. What it needs is the service's own. */
const anyAccount = /* @__PURE__ */ lazy(() => account(maybe(holder(maybe, maybe(address(maybe)))), {}));

/** Returns the schema of a new account, which depends on its rail and region. */
export function accountCreateParams(body: Readonly<Record<string, unknown>>): Param<AccountCreateParams> {
  const { rail, type } = body;
  if (rail === 'onramp' && type === 'us') return usOnrampAccount();
  return rail === 'onramp' && type === 'africa' ? africaOnrampAccount() : anyAccount();
}

export const accountListParams = /* @__PURE__ */ lazy(() =>
  object<AccountListParams>({
    ...texts('rail type currency createdBefore createdAfter'),
    limit: maybe(wholeNumber(1, 100)),
  }),
);
