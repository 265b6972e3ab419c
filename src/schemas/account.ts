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
import { address } from './parts.ts';
import {
  boolean,
  either,
  type Fields,
  lazy,
  list,
  maybe,
  nullish,
  record,
  shape,
  text,
  texts,
} from './zod.ts';

const rail = /* @__PURE__ */ lazy(() => record<AccountRail>(texts('currency railType paymentRail')));

const holder = /* @__PURE__ */ lazy(() =>
  record<AccountHolder>({
    ...texts('type name phone email idType idNumber dateOfBirth nationality formationDate'),
    address: nullish(address()),
  }),
);

const us = /* @__PURE__ */ lazy(() =>
  record<UsAccount>({
    ...texts('transferType accountType accountNumber routingNumber bankName iban swiftCode currency'),
    bankAddress: nullish(either(text(), address())),
  }),
);

const africa = /* @__PURE__ */ lazy(() =>
  record<AfricaAccount>(texts('financialInstitute accountType accountNumber currency country')),
);

const regions = (): Fields<RegionalAccounts> =>
  // Object.fromEntries widens the names; they are known to be those of the regions.
  Object.fromEntries(
    Object.entries(regionalAccountFields).map(([region, names]) => [
      region,
      nullish(record<Record<string, string | null>>(texts<string>(names.join(' ')))),
    ]),
  ) as Fields<RegionalAccounts>;

const account = /* @__PURE__ */ lazy(() =>
  record<Account>({
    ...regions(),
    ...texts('id accountId userId status reason message type accountType currency createdAt updatedAt'),
    isValid: nullish(boolean()),
    invalidFields: nullish(list(text())),
    rail: nullish(either(text(), rail())),
    accountHolder: nullish(holder()),
    us: nullish(us()),
    africa: nullish(africa()),
  }),
);

/** Services return the record in several forms, so that nothing in it is essential. */
export const accountShape = /* @__PURE__ */ shape<Account>(account, []);

export const accountDeletionShape = /* @__PURE__ */ shape<AccountDeletion>(
  /* @__PURE__ */ lazy(() => maybe(account())),
  [],
);
