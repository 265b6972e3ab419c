import { ServiceProblem } from '../../problem.ts';
import { decimalOf, type Micros } from '../../state/money.ts';
import type { World } from '../../state/world.ts';
import { exactAmount } from '../quotes.ts';
import type { EmulatedOnrampDetails, OnrampRecord, OnrampStatusName } from '../records/index.ts';
import { bankInfoOf } from './deposits.ts';
import { enter, type Failure, step } from './onramp-steps.ts';
import { findOnramp } from './onramps.ts';

/** The statuses in which an onramp accepts a deposit. */
const FUNDABLE: readonly OnrampStatusName[] = [
  'OPEN_QUOTE',
  'AWAITING_FUNDS',
  'FIAT_INITIATED',
  'CREATED',
  'NOT_INITIATED',
];

/** Sets any status by hand, and what belongs to it: a hash when completed, a failure in failed states. */
export function advanceOnramp(
  world: World,
  id: string,
  change: { status: OnrampStatusName; error?: string | undefined; errorDetails?: string | undefined },
): OnrampRecord {
  const onramp = findOnramp(world, id);
  world.tasks.cancel(id);
  enter(world, onramp, change.status, world.clock.millis(), change);
  // By hand back to waiting for money means waiting again, for the whole of a new window.
  if (change.status === 'AWAITING_FUNDS') {
    world.tasks.plan({ id, kind: 'onramp.expire', at: world.clock.millis() + world.pace.depositWindow });
  }
  return onramp;
}

/** The sender's bank pays: the specified amount sets the onramp going, any other fails it. */
export function simulateDeposit(
  world: World,
  id: string,
  deposit: { amount?: number | undefined; reference?: string | undefined },
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
): Failure | undefined {
  const expiry = Date.parse(details.quoteInformation.expiresAt);
  if (details.status === 'OPEN_QUOTE' && now > expiry) {
    return {
      status: 'QUOTE_FAILED',
      error: 'EXPIRED',
      errorDetails: 'The deposit arrived after the quote had expired',
    };
  }
  const reference = details.depositInfo?.reference;
  if (deposit.reference !== undefined && reference !== undefined && deposit.reference !== reference) {
    const errorDetails = 'The deposit does not carry the reference of this onramp and was returned';
    return { status: 'FIAT_RETURNED', error: 'TRANSACTION_REJECTED', errorDetails };
  }
  const compared = `${decimalOf(paid)} ${details.source.currency} instead of ${decimalOf(expected)}`;
  if (paid < expected) {
    return {
      status: 'FIAT_FAILED',
      error: 'AMOUNT_TOO_LOW',
      errorDetails: `The deposit was too low: ${compared}`,
    };
  }
  if (paid > expected) {
    const errorDetails = `The deposit was too high and was returned: ${compared}`;
    return { status: 'FIAT_RETURNED', error: 'TRANSACTION_REJECTED', errorDetails };
  }
  return undefined;
}
