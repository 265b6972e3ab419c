import { isRecord } from '../../values.ts';
import type { EmulatorEvent, UserRecord } from '../service/records/index.ts';
import type { Dialect } from './dialect.ts';

/** A value as a dialect writes it: its times and its chains. Everything else is as it was. */
export function present(dialect: Dialect, value: unknown): unknown {
  if (dialect.timeFormat === 'Z' && dialect.chainNames === 'as-sent') return value;
  return rewrite(dialect, value, '');
}

function rewrite(dialect: Dialect, value: unknown, key: string): unknown {
  if (typeof value === 'string') return dialectText(dialect, value, key);
  if (Array.isArray(value)) return value.map((item) => rewrite(dialect, item, key));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, rewrite(dialect, inner, name)]),
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
