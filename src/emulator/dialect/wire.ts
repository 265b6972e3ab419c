import type { RegionalAccounts } from '../../shared/service/account-details.ts';
import type { Account } from '../../shared/service/accounts.ts';
import { isRecord } from '../../shared/values.ts';
import type { EmulatorEvent } from '../service/records/metrics-and-events.ts';
import {
  type AccountRecord,
  bankDetailsOf,
  type ExternalWalletRecord,
  type UserRecord,
} from '../service/records/users.ts';
import type { executeMetric } from '../service/reporting/metrics.ts';
import type { Dialect } from './dialect.ts';

/** A value as a dialect writes it: its times and its chains. Everything else is as it was. */
export function present(dialect: Dialect, value: unknown): unknown {
  if (dialect.name === 'spec') return value;
  return JSON.parse(JSON.stringify(value), (key, inner: unknown) =>
    typeof inner === 'string' ? fieldText(inner, key) : inner,
  );
}

/** The fields that hold a time of the emulator; a caller's own text that looks like one is left alone. */
const TIMES = new Set(['createdAt', 'updatedAt', 'expiresAt', 'depositBy', 'timestamp', 'nextCursor']);
const INSTANT = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3})Z$/;

function fieldText(value: string, key: string): string {
  if (key === 'chain') return /_/.test(value) ? value : `${value}_MAINNET`;
  return TIMES.has(key) ? value.replace(INSTANT, '$1000+00:00') : value;
}

/** An event as it is delivered in a dialect. */
export function eventWire(dialect: Dialect, event: EmulatorEvent): object {
  const written = present(dialect, dialect.name === 'spec' ? event : fullEnvelope(event));
  return isRecord(written) ? written : event;
}

function fullEnvelope({ eventId, eventType, data, createdAt }: EmulatorEvent): Record<string, unknown> {
  const eventCategory = eventType.split('.')[0];
  const about = { eventId, eventCategory, eventType, eventAction: actionOf(eventType) };
  return { ...about, data, createdAt, timestamp: createdAt, version: '1.0' };
}

function actionOf(eventType: string): 'CREATE' | 'UPDATE' {
  return /\.CREATED?$/.test(eventType) || eventType === 'TRANSFER.APPROVAL.PENDING' ? 'CREATE' : 'UPDATE';
}

/** The KYC information of a user in the form of a dialect. */
export function kycWire(dialect: Dialect, { userId, kycInfo }: UserRecord): Record<string, unknown> {
  if (dialect.name === 'spec' || kycInfo.sofEuQuestionnaire !== null) return { userId, kycInfo };
  return { userId, kycInfo: { ...kycInfo, sofEuQuestionnaire: {} } };
}

/** The results of a metric in the form of a dialect. */
export function metricWire({ name }: Dialect, results: ReturnType<typeof executeMetric>): object {
  const { data, metadata } = results;
  const { breakdowns: dimensions } = metadata;
  if (name === 'spec' || dimensions === null) return results;
  const counts = dimensions.map((dimension) => [dimension, new Set(data.map((row) => row[dimension])).size]);
  return {
    ...results,
    metadata: { ...metadata, breakdowns: { dimensions, dimensionCounts: Object.fromEntries(counts) } },
  };
}

type Form = Dialect['accountForm'];

/** The key of the records in an account list. */
export const accountListKey = ({ name }: Dialect): string => (name === 'field' ? 'banks' : 'accounts');

/** The forms of the fields of an account that not every form has. */
const FORMS_WITH = new Map<string, readonly Form[]>([
  ['id', ['status', 'isValid']],
  ['accountId', ['accountId']],
  ['accountType', ['accountId']],
  ['currency', ['accountId']],
  ['status', ['status', 'accountId']],
  ['invalidFields', ['status', 'accountId']],
  ['message', ['status']],
  ['isValid', ['isValid']],
  ['reason', ['isValid']],
]);

/** An account record in the form of a dialect. */
export function accountWire(dialect: Dialect, account: AccountRecord): Record<string, unknown> {
  const { id, userId, type, accountHolder, status, invalidFields, message, createdAt, updatedAt } = account;
  const part = bankDetailsOf(account);
  // Every field of the client's type, so that one which is new there does not compile.
  const fields: Record<Exclude<keyof Account, keyof RegionalAccounts | 'us' | 'africa'>, unknown> = {
    id,
    accountId: id,
    accountType: type,
    currency: part.currency ?? null,
    userId,
    rail: dialect.name === 'field' ? railObject(account) : account.rail,
    type,
    accountHolder,
    createdAt,
    updatedAt,
    status,
    invalidFields,
    message,
    // A pending account is neither valid nor invalid yet: only a rejected one has a reason.
    isValid: status === 'PENDING' ? null : status === 'ACTIVE',
    reason: status === 'REJECTED' ? message : null,
  };
  const shown = Object.entries(fields).filter(
    ([name]) => FORMS_WITH.get(name)?.includes(dialect.accountForm) ?? true,
  );
  return { ...Object.fromEntries(shown), [type]: part };
}

/** The response to a deletion. */
export function deletedAccount(dialect: Dialect, account: AccountRecord): Record<string, unknown> {
  if (dialect.name === 'field') return { ...accountWire(dialect, account), status: 'INACTIVE' };
  return { success: true, message: 'The account was deleted', id: account.id };
}

function railObject(account: AccountRecord): Record<string, unknown> {
  const part = bankDetailsOf(account);
  return {
    currency: part.currency ?? null,
    railType: account.rail,
    paymentRail: part.transferType ?? part.accountType ?? null,
  };
}

/** An external wallet as it stands in a list, with its id in dialects with all fields. */
export function walletWire(dialect: Dialect, wallet: ExternalWalletRecord): Record<string, unknown> {
  const { id, address, chain, name, referenceId, createdAt } = wallet;
  const documented = { address, chain, name, referenceId, createdAt };
  return dialect.name === 'field' ? { id, ...documented } : documented;
}
