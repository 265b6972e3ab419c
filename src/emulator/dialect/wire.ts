import { isRecord } from '../../shared/values.ts';
import type { EmulatorEvent } from '../service/records/metrics-and-events.ts';
import {
  type AccountRecord,
  bankDetailsOf,
  type ExternalWalletRecord,
  type UserRecord,
} from '../service/records/users.ts';
import { hexOf } from '../state/ids.ts';
import type { Dialect } from './dialect.ts';

/** A value as a dialect writes it: its times and its chains. Everything else is as it was. */
export function present(dialect: Dialect, value: unknown): unknown {
  if (dialect.timeFormat === 'Z' && dialect.chainNames === 'as-sent') return value;
  return JSON.parse(JSON.stringify(value), (key, inner: unknown) =>
    typeof inner === 'string' ? dialectText(dialect, inner, key) : inner,
  );
}

/** The fields that hold a time of the emulator; a caller's own text that looks like one is left alone. */
const TIMES = new Set(['createdAt', 'updatedAt', 'expiresAt', 'depositBy', 'timestamp', 'nextCursor']);
const INSTANT = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3})Z$/;

function dialectText(dialect: Dialect, value: string, key: string): string {
  if (key === 'chain' && dialect.chainNames === 'mainnet')
    return /_/.test(value) ? value : `${value}_MAINNET`;
  if (dialect.timeFormat === 'Z' || !TIMES.has(key)) return value;
  const zeros = dialect.timeFormat === 'offset-micros' ? '000' : '';
  return value.replace(INSTANT, `$1${zeros}+00:00`);
}

/** An event as it is delivered in a dialect. */
export function eventWire(dialect: Dialect, event: EmulatorEvent): object {
  const written = present(dialect, dialect.eventEnvelope === 'short' ? event : fullEnvelope(event));
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
  if (dialect.kycQuestionnaire === 'text' || kycInfo.sofEuQuestionnaire !== null) return { userId, kycInfo };
  return { userId, kycInfo: { ...kycInfo, sofEuQuestionnaire: { answers: [] } } };
}

/** The results of a metric in the form of a dialect. */
export function metricWire(dialect: Dialect, results: Record<string, unknown>): Record<string, unknown> {
  const { data, metadata } = results;
  if (dialect.metricBreakdowns === 'names' || !isRecord(metadata) || !Array.isArray(metadata.breakdowns))
    return results;
  const rows: readonly unknown[] = Array.isArray(data) ? data : [];
  const count = (dimension: string) =>
    new Set(rows.map((row) => (isRecord(row) ? row[dimension] : undefined))).size;
  const dimensions = metadata.breakdowns.map(String);
  const dimensionCounts = Object.fromEntries(dimensions.map((dimension) => [dimension, count(dimension)]));
  return { ...results, metadata: { ...metadata, breakdowns: { dimensions, dimensionCounts } } };
}

type Form = Exclude<Dialect['accountForm'], 'mixed'>;

const FORMS: readonly [Form, Form, Form] = ['status', 'isValid', 'accountId'];

/** An account record in the form of a dialect. */
export function accountWire(dialect: Dialect, account: AccountRecord): Record<string, unknown> {
  const { id, status, invalidFields, message, details, ...rest } = account;
  const region = details === undefined ? {} : { [account.type]: details };
  const common = {
    ...rest,
    ...region,
    rail: dialect.accountRail === 'object' ? railObject(account) : account.rail,
  };
  const form = formOf(dialect, id);
  if (form === 'neither') return { id, ...common };
  if (form === 'status') return { id, ...common, status, invalidFields, message };
  if (form === 'accountId') {
    const { currency = null } = bankDetailsOf(account);
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
  return dialect.transferFields === 'all' ? { id, ...documented } : documented;
}
