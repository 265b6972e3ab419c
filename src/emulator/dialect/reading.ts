import { isObject } from '../reading/json.ts';
import type { UserRecord } from '../service/records/index.ts';
import type { Dialect } from './dialect.ts';

/** The KYC information of a user in the form of a dialect. */
export function kycWire(dialect: Dialect, { userId, kycInfo }: UserRecord): Record<string, unknown> {
  if (dialect.kycQuestionnaire === 'text' || kycInfo.sofEuQuestionnaire !== null) return { userId, kycInfo };
  return { userId, kycInfo: { ...kycInfo, sofEuQuestionnaire: { answers: [] } } };
}

/** The results of a metric in the form of a dialect. */
export function metricWire(dialect: Dialect, results: Record<string, unknown>): Record<string, unknown> {
  const { data, metadata } = results;
  if (dialect.metricBreakdowns === 'names' || !isObject(metadata) || !Array.isArray(metadata.breakdowns))
    return results;
  const rows: readonly unknown[] = Array.isArray(data) ? data : [];
  const count = (dimension: string) =>
    new Set(rows.map((row) => (isObject(row) ? row[dimension] : undefined))).size;
  const dimensions = metadata.breakdowns.map(String);
  const dimensionCounts = Object.fromEntries(dimensions.map((dimension) => [dimension, count(dimension)]));
  return { ...results, metadata: { ...metadata, breakdowns: { dimensions, dimensionCounts } } };
}
