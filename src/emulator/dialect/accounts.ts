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
  if (form === 'accountId')
    return { accountId: id, accountType: account.type, ...common, status, invalidFields };
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

function railOf({ rail, ...account }: AccountRecord): Record<string, unknown> {
  const part: Record<string, unknown> = account.us ?? account.africa ?? account.details ?? {};
  return {
    currency: part.currency ?? null,
    railType: rail,
    paymentRail: part.transferType ?? part.accountType ?? null,
  };
}
