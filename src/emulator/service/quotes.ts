import type { DeveloperFee } from '../../shared/service/fields.ts';
import { invalidField } from '../problem.ts';
import {
  atRate,
  basisPoints,
  DECIMALS,
  decimalOf,
  type Micros,
  microsOf,
  numberOfMicros,
  RATE_SCALE,
  rateText,
} from '../state/money.ts';
import type { World } from '../state/world.ts';
import type { EmulatedQuoteInformation } from './records/onramp.ts';
import type { Written } from './records/written.ts';

/**
 * Each currency with its units for one US dollar, in hundredths, and the countries of an African one. The rates are
 * invented, and near enough to look right in a demonstration.
 */
const CURRENCIES: readonly (readonly [currency: string, perDollar: bigint, ...countries: string[]])[] = [
  ['usd', 100n],
  ['ugx', 371_000n, 'uga'],
  ['kes', 12_925n, 'ken'],
  ['ngn', 153_800n, 'nga'],
  ['ghs', 1_240n, 'gha'],
  ['tzs', 265_000n, 'tza'],
  ['rwf', 142_500n, 'rwa'],
  ['zar', 1_785n, 'zaf', 'lso', 'nam', 'swz'],
  ['zmw', 2_690n, 'zmb'],
  ['mwk', 173_400n, 'mwi'],
  ['xof', 60_300n, 'ben', 'bfa', 'civ', 'gnb', 'mli', 'ner', 'sen', 'tgo'],
  ['xaf', 60_300n, 'caf', 'cmr', 'cog', 'gab', 'gnq', 'tcd'],
  ['bwp', 1_345n, 'bwa'],
  ['etb', 13_300n, 'eth'],
  ['mzn', 6_390n, 'moz'],
  ['sll', 2_268_000n, 'sle'],
  ['cdf', 286_000n, 'cod'],
  ['egp', 4_920n, 'egy'],
  ['mad', 985n, 'mar', 'esh'],
  ['eur', 92n],
  ['brl', 545n],
  ['hkd', 780n],
  ['mxn', 1_830n],
  ['cop', 412_000n],
  ['ars', 101_000n],
  ['cny', 715n],
  ['sgd', 134n],
];

const PER_DOLLAR = new Map(CURRENCIES.map(([currency, perDollar]) => [currency, perDollar]));

export const FIAT_CURRENCIES: readonly string[] = [...PER_DOLLAR.keys()];

/** The countries of each currency that the emulator supports. */
export const COUNTRIES: ReadonlyMap<string, readonly string[]> = new Map(
  CURRENCIES.flatMap(([currency, _, ...countries]) =>
    countries.length === 0 ? [] : [[currency, countries]],
  ),
);

const FEE_POINTS = new Map<string, bigint>([
  ['ach', 10n],
  ['rtp', 15n],
  ['wire', 20n],
  ['bank', 75n],
  ['momo', 100n],
]);

/** The African currencies, which need a registered account, and the rail of their own. */
export const AFRICAN_CURRENCIES: readonly string[] = [...COUNTRIES.keys()];

export interface QuoteRequest {
  /** The amount to send, the fee included. */
  amount: Micros;
  /** The amount to receive, if the request fixes that. It replaces `amount`. */
  receive?: Micros | undefined;
  from: string;
  to: string;
  /** The rail that the fee depends on: a transfer type such as `ach`, or an account type such as `momo`. */
  rail: string;
  /** True if the quote has an expiry. One-time deposits have `depositBy` instead. */
  expires: boolean;
  /** Quotes for the same one have the same rate. Default: each has another. */
  of?: string;
}

/**
 * A new quote, exact to the last decimal: `sendGross = sendNet + railFee`, and `receiveGross` is the amount to receive, or
 * `sendNet × rate` rounded down. Stablecoins are worth a dollar; rates other than one move a little with every quote.
 */
export function newQuote(
  world: World,
  request: QuoteRequest,
  at: number = world.clock.millis(),
): EmulatedQuoteInformation {
  const points = FEE_POINTS.get(request.rail) ?? 25n;
  const rate = rateOf(world, request);
  const gross = request.receive === undefined ? request.amount : grossFor(request.receive, rate, points);
  const fee = basisPoints(gross, points);
  const net = gross - fee;
  const received = request.receive ?? atRate(net, rate);
  const sent = (amount: Micros) => ({ amount: decimalOf(amount), currency: request.from });
  const got = { amount: decimalOf(received), currency: request.to };
  const lifetime = request.expires ? world.pace.quoteLifetime : undefined;
  return {
    sendGross: sent(gross),
    sendNet: sent(net),
    railFee: sent(fee),
    receiveGross: got,
    receiveNet: { ...got },
    rate: rateText(rate),
    expiresAt: lifetime === undefined ? 'N/A' : new Date(at + lifetime).toISOString(),
  };
}

/** The amount to send so that, after the fee and at the rate, `receive` arrives. */
function grossFor(receive: Micros, rate: bigint, points: bigint): Micros {
  const net = (receive * RATE_SCALE + rate - 1n) / rate;
  let gross = net;
  // Each round adds the fee of the round before; it grows by less each time and ends.
  for (;;) {
    const next = net + basisPoints(gross, points);
    if (next === gross) return gross;
    gross = next;
  }
}

/** Units of `to` for one of `from`, in 1e-10. */
function rateOf(world: World, { from, to, of }: QuoteRequest): bigint {
  const perDollarFrom = PER_DOLLAR.get(from) ?? 100n;
  const perDollarTo = PER_DOLLAR.get(to) ?? 100n;
  const middle = (perDollarTo * RATE_SCALE) / perDollarFrom;
  if (perDollarFrom === perDollarTo) return middle;
  const quote = of ?? world.ids.count('quote');
  const drift = BigInt(world.ids.integer(`rate/${from}/${to}/${quote}`, 401) - 200);
  return (middle * (100_000n + drift)) / 100_000n;
}

/** An amount of a currency in dollars at the middle rate: what volumes in several currencies are added up in. */
export function inDollars(amount: Micros, currency: string): Micros {
  return (amount * 100n) / (PER_DOLLAR.get(currency) ?? 100n);
}

/** The largest amount: sums of many such are still far inside what a JSON number can hold. */
const LARGEST = 10n ** 15n * 10n ** BigInt(DECIMALS);

/** The amount of an already checked field; what could not be added up exactly is refused. */
export function exactAmount(amount: number | string, field: string): Micros {
  const micros = microsOf(amount);
  if (micros === undefined || micros <= 0n) throw invalidField(field, 'has more than six decimals');
  if (micros > LARGEST) throw invalidField(field, 'is larger than 1,000,000,000,000,000');
  return micros;
}

/** The fee that an integrator asks for: fixed, or a percentage. */
export interface FeeRequest {
  type: 'FIX' | 'PERCENT';
  value: number | string;
}

/** The record of an integrator's fee. It is shown and not charged: the description does not say who pays it. */
export function developerFeeOf(
  world: World,
  transferId: string,
  fee: FeeRequest | null | undefined,
  amount: Micros,
): Written<DeveloperFee> | null {
  if (fee === null || fee === undefined) return null;
  const percent = fee.type === 'PERCENT';
  const value = Number(fee.value);
  const micros = microsOf(value);
  if (micros === undefined) throw invalidField('fee.value', 'has more than six decimals');
  const share = percent ? numberOfMicros((amount * micros) / 100_000_000n) : value;
  return {
    feeId: `fee-${world.ids.hex(`fee/${transferId}`, 16)}`,
    feeType: fee.type,
    feeAmount: share,
    feePercent: percent ? value : null,
    status: 'CREATED',
    transactionHash: null,
    failedReason: null,
  };
}
