import { valueAt } from '../../shared/values.ts';
import type { Surroundings } from '../observed-call.ts';
import { note } from '../report.ts';

/** One payment that the service made: its record as each response showed it. */
export type Views<T> = readonly [T, ...T[]];

/** The part that all records of payments share. */
export interface Payment {
  readonly transferDetails: { readonly id: string; readonly status: string };
}

/** A sample of a create: what was sent, by the path of the field under which a record shows it. */
export interface Sample {
  readonly operation: string;
  /** The amount that is sent; in a batch, to the first recipient. */
  readonly amount: number;
  /** The amount, the payer and the recipient, in words. */
  readonly pays: string;
  readonly sent: Readonly<Record<string, string | number>>;
  /** The recipient of a batch, and each amount that the recipient gets. */
  readonly batch?: { readonly userId: string; readonly amounts: readonly number[] };
}

/**
 * Compares a record with what was sent, and returns a sentence for each difference. Fields that the record does not show
 * are left out, because services do not document them.
 */
function sampleDifferences({ sent, batch }: Sample, record: { readonly transferDetails: unknown }): string[] {
  const details = record.transferDetails;
  const changed = Object.entries(sent).flatMap(([path, value]) => {
    const shown = valueAt(details, path);
    if (shown === undefined || shown === null || showsSame(path, value, shown)) return [];
    return [`\`transferDetails.${path}\` was sent as ${value} and is ${printed(shown)}.`];
  });
  const recipients = valueAt(details, 'destination.batch') ?? valueAt(details, 'recipients');
  if (batch === undefined || !Array.isArray(recipients)) return changed;
  return [...changed, ...batchDifferences(batch, recipients)];
}

function batchDifferences(
  { userId, amounts }: NonNullable<Sample['batch']>,
  recipients: readonly unknown[],
): string[] {
  if (recipients.length !== amounts.length)
    return [`The batch has ${amounts.length} recipients, and the record shows ${recipients.length}.`];
  const others = recipients.map((recipient) => valueAt(recipient, 'userId') ?? userId);
  if (others.some((other) => other !== userId)) return ['The record shows another recipient of the batch.'];
  const shown = recipients.map((recipient) => Number(valueAt(recipient, 'amount'))).sort((a, b) => a - b);
  const isShown = shown.every((amount) => Number.isFinite(amount));
  if (!isShown || amounts.every((amount, index) => amount === shown[index])) return [];
  return [`The batch pays ${amounts.join(' and ')}, and the record shows ${shown.join(' and ')}.`];
}

function showsSame(path: string, sent: string | number, shown: unknown): boolean {
  if (typeof sent === 'number') return Number(shown) === sent;
  // `USD Coin` is a name and no code.
  if (typeof shown !== 'string' || (path.endsWith('currency') && /\s/.test(shown))) return true;
  const [expected, actual] = [sent.toLowerCase(), shown.toLowerCase()];
  if (!path.endsWith('chain') || !actual.startsWith(expected)) return actual === expected;
  // `POLYGON_MAINNET` and `POLYGON-AMOY` are the chain `POLYGON`; `usdc.e` is another currency than `usdc`.
  return !/[a-z\d]/.test(actual.charAt(expected.length));
}

/** A number may be shown; a text may be anything. */
const printed = (value: unknown): string =>
  Number.isFinite(Number(value)) ? String(Number(value)) : `another ${typeof value}`;

/** Adds a failure if a record differs from what was sent. */
export function compare({ report }: Surroundings, sample: Sample, record: Payment): void {
  const changed = sampleDifferences(sample, record);
  const isNoted = report.findings.some(
    ({ check, details }) => check === sample.operation && details?.join() === changed.join(),
  );
  if (changed.length > 0 && !isNoted)
    note(report, sample.operation, 'failure', 'The service did not make what was asked for.', changed);
}
