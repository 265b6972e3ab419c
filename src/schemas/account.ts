import type {
  Account,
  AccountDeletion,
  AccountHolder,
  AccountRail,
  AfricaAccount,
  RegionalAccounts,
  UsAccount,
} from '../types/account.ts';
import { regionalAccountFields } from './account-regions.ts';
import { boolean, either, type Fields, list, maybeText, nullish, record, text, texts } from './field.ts';
import { address } from './parts.ts';
import * as z from './zod.ts';
import { lazy, shape } from './zod.ts';

const rail = /* @__PURE__ */ lazy(() => record<AccountRail>(texts(['currency', 'railType', 'paymentRail'])));

const holder = /* @__PURE__ */ lazy(() =>
  record<AccountHolder>({
    type: maybeText(),
    name: maybeText(),
    ...texts(['phone', 'email', 'idType', 'idNumber', 'dateOfBirth', 'nationality', 'formationDate']),
    address: nullish(address()),
  }),
);

const us = /* @__PURE__ */ lazy(() =>
  record<UsAccount>({
    transferType: maybeText(),
    accountType: maybeText(),
    accountNumber: maybeText(),
    routingNumber: maybeText(),
    bankName: maybeText(),
    bankAddress: nullish(either(text(), address())),
    iban: maybeText(),
    swiftCode: maybeText(),
    currency: maybeText(),
  }),
);

const africa = /* @__PURE__ */ lazy(() =>
  record<AfricaAccount>({
    financialInstitute: maybeText(),
    accountType: maybeText(),
    accountNumber: maybeText(),
    currency: maybeText(),
    country: maybeText(),
  }),
);

const regions = (): Fields<RegionalAccounts> =>
  // Object.fromEntries widens the names; they are known to be those of the regions.
  Object.fromEntries(
    Object.entries(regionalAccountFields).map(([region, names]) => [
      region,
      nullish(record<Record<string, string | null>>(texts<string>(names))),
    ]),
  ) as Fields<RegionalAccounts>;

const account = /* @__PURE__ */ lazy(() =>
  record<Account>({
    ...regions(),
    id: maybeText(),
    accountId: maybeText(),
    userId: maybeText(),
    status: maybeText(),
    isValid: nullish(boolean()),
    reason: maybeText(),
    invalidFields: nullish(list(text())),
    message: maybeText(),
    rail: nullish(either(text(), rail())),
    type: maybeText(),
    accountType: maybeText(),
    currency: maybeText(),
    createdAt: maybeText(),
    updatedAt: maybeText(),
    accountHolder: nullish(holder()),
    us: nullish(us()),
    africa: nullish(africa()),
  }),
);

/** Services return the record in several forms, so that nothing in it is essential. */
export const accountShape = /* @__PURE__ */ shape<Account>(account, []);

export const accountDeletionShape = /* @__PURE__ */ shape<AccountDeletion>(
  /* @__PURE__ */ lazy(() => z.optional(account())),
  [],
);
