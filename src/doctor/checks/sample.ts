import { isRecord } from '../../values.ts';

/** A sample of a create: what was sent, by the path of the field under which a record shows it. */
export interface Sample {
  readonly operation: string;
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
export function sampleDifferences(
  { sent, batch }: Sample,
  record: { readonly transferDetails: unknown },
): string[] {
  const details = record.transferDetails;
  const changed = Object.entries(sent).flatMap(([path, value]) => {
    const shown = at(details, path);
    if (shown === undefined || shown === null || isSame(value, shown)) return [];
    return [`\`transferDetails.${path}\` was sent as ${value} and is ${printed(shown)}.`];
  });
  const recipients = at(details, 'destination.batch');
  if (batch === undefined || !Array.isArray(recipients)) return changed;
  return [...changed, ...batchDifferences(batch, recipients)];
}

function batchDifferences(
  { userId, amounts }: NonNullable<Sample['batch']>,
  recipients: readonly unknown[],
): string[] {
  if (recipients.length !== amounts.length)
    return [`The batch has ${amounts.length} recipients, and the record shows ${recipients.length}.`];
  const others = recipients.map((recipient) => at(recipient, 'userId') ?? userId);
  if (others.some((other) => other !== userId)) return ['The record shows another recipient of the batch.'];
  const shown = recipients.map((recipient) => Number(at(recipient, 'amount'))).sort((a, b) => a - b);
  const isShown = shown.every((amount) => Number.isFinite(amount));
  if (!isShown || amounts.every((amount, index) => amount === shown[index])) return [];
  return [`The batch pays ${amounts.join(' and ')}, and the record shows ${shown.join(' and ')}.`];
}

function at(value: unknown, path: string): unknown {
  let inner = value;
  for (const name of path.split('.')) inner = isRecord(inner) ? inner[name] : undefined;
  return inner;
}

function isSame(sent: string | number, shown: unknown): boolean {
  if (typeof sent === 'number') return Number(shown) === sent;
  if (typeof shown !== 'string') return true;
  const [expected, actual] = [sent.toLowerCase(), shown.toLowerCase()];
  // `POLYGON_MAINNET` is the chain `POLYGON`.
  return actual === expected || actual.startsWith(`${expected}_`);
}

/** A number may be shown; a text may be anything. */
const printed = (value: unknown): string =>
  Number.isFinite(Number(value)) ? String(Number(value)) : `another ${typeof value}`;
