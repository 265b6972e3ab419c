import type { OnrampStatus } from '../../../shared/service/onramps.ts';
import { ServiceProblem } from '../../problem.ts';
import { decimalOf, type Micros, microsOf } from '../../state/money.ts';
import type { World } from '../../state/world.ts';
import { emitOnramp } from '../events.ts';
import { exactAmount } from '../quotes.ts';
import { type EmulatedOnrampDetails, FAILED_ONRAMPS, type OnrampRecord } from '../records/onramp.ts';
import { credit } from '../transfers/balances.ts';
import { transactionHash } from '../transfers/wallets.ts';
import { bankInfoOf, findOnramp, planExpiry } from './onramps.ts';

/** The way of a funded onramp. */
const STEPS: readonly OnrampStatus[] = [
  'FIAT_PENDING',
  'FIAT_PROCESSED',
  'CRYPTO_INITIATED',
  'CRYPTO_PENDING',
  'COMPLETED',
];

/** The statuses in which an onramp waits for its deposit, and those in which it accepts one. */
const WAITING: readonly OnrampStatus[] = ['AWAITING_FUNDS', 'CREATED', 'NOT_INITIATED'];
const FUNDABLE: readonly OnrampStatus[] = [...WAITING, 'OPEN_QUOTE', 'FIAT_INITIATED'];

/** A status, and why the onramp failed if it is a failed one. */
interface FailedStep {
  status: OnrampStatus;
  error?: string | null | undefined;
  errorDetails?: string | null | undefined;
}

/** The next status of a funded onramp, at the time it is due. */
export function step(world: World, onramp: OnrampRecord, at: number): void {
  const next = STEPS[STEPS.indexOf(onramp.transferDetails.status) + 1];
  if (next === undefined) return;
  enter(world, onramp, next, at);
  if (next !== 'COMPLETED') {
    world.tasks.plan({ id: onramp.id, kind: 'onramp.step', at: at + world.pace.settlementStep });
  }
}

export function expireOnramp(world: World, onramp: OnrampRecord, at: number): void {
  if (!WAITING.includes(onramp.transferDetails.status)) return;
  enter(world, onramp, 'EXPIRED', at, {
    error: 'EXPIRED',
    errorDetails: 'No deposit arrived before depositBy',
  });
}

/** Puts an onramp into a status with all that belongs to it. */
function enter(
  world: World,
  onramp: OnrampRecord,
  status: OnrampStatus,
  at: number,
  failure?: Omit<FailedStep, 'status'>,
) {
  const details = onramp.transferDetails;
  // A hash proves that the money arrived before: a test may send an onramp back and forth, and it arrives once.
  const arrived = details.receipt.transactionHash !== null;
  details.status = status;
  details.updatedAt = new Date(at).toISOString();
  const failed = FAILED_ONRAMPS.includes(status);
  const usual = status === 'EXPIRED' ? 'EXPIRED' : 'INTERNAL_ERROR';
  const error = failure?.error ?? (failed ? usual : undefined);
  const errorDetails = failure?.errorDetails ?? (failed ? `The onramp failed in ${status}` : undefined);
  delete details.error;
  delete details.errorDetails;
  if (error !== undefined) details.error = error;
  if (errorDetails !== undefined) details.errorDetails = errorDetails;
  details.failedReason = failed ? (errorDetails ?? null) : null;
  if (status === 'COMPLETED' && !arrived) {
    const { destination } = details;
    details.receipt.transactionHash = transactionHash(world, destination.chain, details.id);
    credit(world, destination, microsOf(destination.amount ?? 0) ?? 0n);
  }
  emitOnramp(world, `STATUS.${status}`, details, at);
}

/** Sets any status by hand, and what belongs to it: a hash when completed, a failure in failed states. */
export function advanceOnramp(world: World, id: string, change: FailedStep): OnrampRecord {
  const onramp = findOnramp(world, id);
  world.tasks.cancel(id);
  enter(world, onramp, change.status, world.clock.millis(), change);
  // By hand back to waiting for money means waiting again, for the whole of a new window.
  if (change.status === 'AWAITING_FUNDS') planExpiry(world, onramp);
  return onramp;
}

/** The sender's bank pays: the specified amount sets the onramp going, any other fails it. */
export function simulateDeposit(
  world: World,
  id: string,
  deposit: { amount?: number | string | undefined; reference?: string | undefined },
): OnrampRecord {
  const onramp = findOnramp(world, id);
  const details = onramp.transferDetails;
  if (!FUNDABLE.includes(details.status)) {
    const message = `A deposit is awaited in ${FUNDABLE.join(', ')}; this onramp is ${details.status}`;
    throw new ServiceProblem(409, 'DEPOSIT_NOT_AWAITED', message);
  }
  const now = world.clock.millis();
  const expected = exactAmount(details.source.amount, 'amount');
  const paid = deposit.amount === undefined ? expected : exactAmount(deposit.amount, 'amount');
  const failure = depositFailure(details, deposit, { expected, paid, now });
  world.tasks.cancel(id);
  details.source.bankInfo = bankInfoOf(world, details);
  if (failure === undefined) step(world, onramp, now);
  else enter(world, onramp, failure.status, now, failure);
  return onramp;
}

function depositFailure(
  details: EmulatedOnrampDetails,
  deposit: { reference?: string | undefined },
  { expected, paid, now }: { expected: Micros; paid: Micros; now: number },
): FailedStep | undefined {
  const { status, source, quoteInformation, depositInfo } = details;
  const failed = (status: OnrampStatus, error: string, errorDetails: string): FailedStep => {
    return { status, error, errorDetails };
  };
  if (status === 'OPEN_QUOTE' && now > Date.parse(quoteInformation.expiresAt)) {
    return failed('QUOTE_FAILED', 'EXPIRED', 'The deposit arrived after the quote had expired');
  }
  const reference = depositInfo?.reference;
  if (deposit.reference !== undefined && reference !== undefined && deposit.reference !== reference) {
    const reason = 'The deposit does not carry the reference of this onramp and was returned';
    return failed('FIAT_RETURNED', 'TRANSACTION_REJECTED', reason);
  }
  const compared = `${decimalOf(paid)} ${source.currency} instead of ${decimalOf(expected)}`;
  if (paid < expected) {
    return failed('FIAT_FAILED', 'AMOUNT_TOO_LOW', `The deposit was too low: ${compared}`);
  }
  if (paid > expected) {
    const reason = `The deposit was too high and was returned: ${compared}`;
    return failed('FIAT_RETURNED', 'TRANSACTION_REJECTED', reason);
  }
  return undefined;
}
