import type { AccountRecord } from '../service/records/index.ts';
import { hexOf } from '../state/ids.ts';
import type { Dialect } from './dialect.ts';

type Form = Exclude<Dialect['accountForm'], 'mixed'>;

const FORMS: readonly [Form, Form, Form] = ['status', 'isValid', 'accountId'];

/** An account record in the form of a dialect. */
export function accountWire(dialect: Dialect, account: AccountRecord): Record<string, unknown> {
  const { id, status, invalidFields, message, details, ...rest } = account;
  const region = details === undefined ? {} : { [account.type]: details };
  const common = {
    ...rest,
    ...region,
    rail: dialect.accountRail === 'object' ? railOf(account) : account.rail,
  };
  const form = formOf(dialect, id);
  if (form === 'neither') return { id, ...common };
  if (form === 'status') return { id, ...common, status, invalidFields, message };
  if (form === 'accountId') {
    const { currency = null } = detailsIn(account);
    return { accountId: id, accountType: account.type, currency, ...common, status, invalidFields };
  }
  // A pending account is neither valid nor invalid yet: only a rejected one has a reason.
  return {
    id,
    ...common,
    isValid: status === 'PENDING' ? null : status === 'ACTIVE',
    reason: status === 'REJECTED' ? message : null,
  };
}

/** The response to a deletion; `undefined` is one without a body. */
export function deletedAccount(
  dialect: Dialect,
  account: AccountRecord,
): Record<string, unknown> | undefined {
  if (dialect.accountDeletion === 'empty') return undefined;
  if (dialect.accountDeletion === 'record') return { ...accountWire(dialect, account), status: 'INACTIVE' };
  return { success: true, message: 'The account was deleted', id: account.id };
}

function formOf({ accountForm }: Dialect, id: string): Form {
  if (accountForm !== 'mixed') return accountForm;
  return FORMS[Number.parseInt(hexOf(`account-form/${id}`, 8), 16) % FORMS.length] ?? FORMS[0];
}

const detailsIn = ({ us, africa, details }: AccountRecord): Record<string, unknown> =>
  us ?? africa ?? details ?? {};

function railOf(account: AccountRecord): Record<string, unknown> {
  const part = detailsIn(account);
  return {
    currency: part.currency ?? null,
    railType: account.rail,
    paymentRail: part.transferType ?? part.accountType ?? null,
  };
}
