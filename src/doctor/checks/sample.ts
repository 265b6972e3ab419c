import { isRecord } from '../../values.ts';

/** A sample of a create: what was sent, by the path of the field under which a record shows it. */
export interface Sample {
  readonly operation: string;
  /** The amount, the payer and the recipient, in words. */
  readonly pays: string;
  readonly sent: Readonly<Record<string, string | number>>;
  /** The amount of each recipient of a batch. */
  readonly batch?: readonly number[];
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
  if (recipients.length !== batch.length)
    return [
      ...changed,
      `The batch has ${batch.length} recipients, and the record shows ${recipients.length}.`,
    ];
  const amounts = recipients.map((recipient) => Number(at(recipient, 'amount'))).sort((a, b) => a - b);
  const isShown = amounts.every((amount) => Number.isFinite(amount));
  if (!isShown || batch.every((amount, index) => amount === amounts[index])) return changed;
  return [
    ...changed,
    `The batch pays ${batch.join(' and ')}, and the record shows ${amounts.join(' and ')}.`,
  ];
}

function at(value: unknown, path: string): unknown {
  let inner = value;
  for (const name of path.split('.')) inner = isRecord(inner) ? inner[name] : undefined;
  return inner;
}

function isSame(sent: string | number, shown: unknown): boolean {
  if (typeof sent === 'number') return Number(shown) === sent;
  // `POLYGON_MAINNET` is the chain `POLYGON`.
  return typeof shown !== 'string' || shown.toLowerCase().startsWith(sent.toLowerCase());
}

/** A number may be shown; a text may be anything. */
const printed = (value: unknown): string =>
  Number.isFinite(Number(value)) ? String(Number(value)) : `another ${typeof value}`;
