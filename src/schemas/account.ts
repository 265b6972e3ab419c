import type {
  Account,
  AccountDeletion,
  AccountHolder,
  AccountRail,
  AfricaAccount,
  UsAccount,
} from '../types/account.ts';
import { lazy, shape } from './common.ts';
import { boolean, either, list, maybeText, nullish, record, text, texts } from './field.ts';
import { address } from './parts.ts';
import * as z from './zod.ts';

const rail = /* @__PURE__ */ lazy(() => record<AccountRail>(texts(['currency', 'railType', 'paymentRail'])));

const holder = /* @__PURE__ */ lazy(() =>
  record<AccountHolder>({
    type: maybeText(),
    name: maybeText(),
    phone: maybeText(),
    email: maybeText(),
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
    bankAddress: maybeText(),
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

const account = /* @__PURE__ */ lazy(() =>
  record<Account>({
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
