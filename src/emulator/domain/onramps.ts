import { decimalOf, type Micros, microsOf } from '../money.ts';
import { invalidField, notFound, ServiceProblem } from '../problem.ts';
import { exactAmount, isKnownCurrency, newQuote } from '../quotes.ts';
import type { AccountRecord, OnrampDetails, OnrampRecord, OnrampStatusName } from '../records.ts';
import type { World } from '../world.ts';
import { isUsedIn } from './accounts.ts';
import { credit } from './balances.ts';
import { bankInfoOf, depositInfoOf } from './deposits.ts';
import { findUser, partyOf, requireRail } from './users.ts';
import { addressOn, transactionHash } from './wallets.ts';

export interface NewOnramp {
  requestId: string;
  source: {
    userId: string;
    currency: string;
    amount: number;
    transferType?: string | null | undefined;
    accountId?: string | null | undefined;
    country?: string | null | undefined;
  };
  destination: {
    userId: string;
    currency: string;
    chain: string;
    walletAddress?: string | null | undefined;
    externalWalletId?: string | null | undefined;
  };
}

/** The way of a funded onramp. */
const STEPS: readonly OnrampStatusName[] = [
  'FIAT_PENDING',
  'FIAT_PROCESSED',
  'CRYPTO_INITIATED',
  'CRYPTO_PENDING',
  'COMPLETED',
];

export const FAILED: readonly OnrampStatusName[] = [
  'FIAT_FAILED',
  'FIAT_RETURNED',
  'CRYPTO_FAILED',
  'QUOTE_FAILED',
  'EXPIRED',
];

/** What an onramp waits for money in. */
const FUNDABLE: readonly OnrampStatusName[] = ['OPEN_QUOTE', 'AWAITING_FUNDS', 'FIAT_INITIATED'];

export function createOnramp(world: World, params: NewOnramp): OnrampRecord {
  const { source, destination } = params;
  const payer = findUser(world, source.userId);
  const payee = findUser(world, destination.userId);
  const currency = source.currency.toLowerCase();
  if (!isKnownCurrency(currency)) throw invalidField('source.currency', 'is not a currency of the emulator');
  const amount = exactAmount(source.amount, 'source.amount');
  requireRail(payer, currency === 'usd' ? 'usd' : 'africa');
  const account = sourceAccount(world, params, currency);
  const id = world.ids.uuid('onramp');
  const now = world.clock.iso();
  const rail = source.transferType ?? railOf(account);
  const quote = newQuote(world, {
    amount,
    from: source.currency,
    to: destination.currency,
    rail: rail ?? '',
    expires: account !== undefined,
  });
  const details: OnrampDetails = {
    id,
    requestId: params.requestId,
    createdAt: now,
    updatedAt: now,
    status: account === undefined ? 'AWAITING_FUNDS' : 'OPEN_QUOTE',
    failedReason: null,
    source: {
      userId: payer.id,
      currency: source.currency,
      amount: source.amount,
      transferType: rail,
      accountId: account?.id ?? null,
      user: partyOf(payer),
      bankInfo: null,
    },
    destination: {
      userId: payee.id,
      currency: destination.currency,
      chain: destination.chain,
      walletAddress: destination.walletAddress ?? addressOn(world, destination.chain, payee.id),
      externalWalletId: destination.externalWalletId ?? null,
      amount: Number(quote.receiveNet.amount),
      user: partyOf(payee),
    },
    receipt: { transactionHash: null },
    developerFee: null,
    virtualAccountId: null,
    quoteInformation: quote,
    depositInfo: account === undefined ? depositInfoOf(world, id, quote.sendGross) : null,
  };
  if (account === undefined) {
    world.tasks.plan({ id, kind: 'onramp.expire', at: world.clock.millis() + world.pace.depositWindow });
  }
  return world.onramps.add({
    id,
    requestId: params.requestId,
    transferType: 'ONRAMP',
    transferDetails: details,
  });
}

export function findOnramp(world: World, id: string): OnrampRecord {
  const onramp = world.onramps.get(id);
  if (onramp === undefined) throw notFound('transfer', id);
  return onramp;
}

export function refreshQuote(world: World, id: string): OnrampRecord {
  const onramp = findOnramp(world, id);
  const details = onramp.transferDetails;
  if (details.status !== 'OPEN_QUOTE') {
    const message = `A quote can be refreshed only in OPEN_QUOTE; this onramp is ${details.status}`;
    throw new ServiceProblem(409, 'QUOTE_NOT_OPEN', message);
  }
  renewQuote(world, details);
  details.updatedAt = world.clock.iso();
  return onramp;
}

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
  if (onramp.transferDetails.status !== 'AWAITING_FUNDS') return;
  enter(world, onramp, 'EXPIRED', at, {
    error: 'EXPIRED',
    errorDetails: 'No deposit arrived before depositBy',
  });
}

interface Failure {
  status: OnrampStatusName;
  error?: string | undefined;
  errorDetails?: string | undefined;
}

function enter(
  world: World,
  onramp: OnrampRecord,
  status: OnrampStatusName,
  at: number,
  failure?: Omit<Failure, 'status'>,
) {
  const details = onramp.transferDetails;
  const wasCompleted = details.status === 'COMPLETED';
  details.status = status;
  details.updatedAt = new Date(at).toISOString();
  const failed = FAILED.includes(status);
  const error =
    failure?.error ?? (failed ? (status === 'EXPIRED' ? 'EXPIRED' : 'INTERNAL_ERROR') : undefined);
  const errorDetails = failure?.errorDetails ?? (failed ? `The onramp failed in ${status}` : undefined);
  delete details.error;
  delete details.errorDetails;
  if (error !== undefined) details.error = error;
  if (errorDetails !== undefined) details.errorDetails = errorDetails;
  details.failedReason = failed ? (errorDetails ?? null) : null;
  if (status !== 'COMPLETED' || wasCompleted) return;
  const { destination } = details;
  details.receipt.transactionHash = transactionHash(world, destination.chain, details.id);
  credit(world, destination, microsOf(destination.amount ?? 0) ?? 0n);
}

function depositFailure(
  details: OnrampDetails,
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

function renewQuote(world: World, details: OnrampDetails): void {
  const { source, destination } = details;
  details.quoteInformation = newQuote(world, {
    amount: exactAmount(source.amount, 'source.amount'),
    from: source.currency,
    to: destination.currency,
    rail: source.transferType ?? '',
    expires: true,
  });
  destination.amount = Number(details.quoteInformation.receiveNet.amount);
}

/** The registered account an onramp draws on: none only for US dollars, and then the deposit is a one-time one. */
function sourceAccount(world: World, { source }: NewOnramp, currency: string): AccountRecord | undefined {
  const accountId = source.accountId ?? undefined;
  if (accountId === undefined) {
    if (currency === 'usd') return undefined;
    throw invalidField(
      'source.accountId',
      `is required: ${source.currency} needs a registered onramp account`,
    );
  }
  const account = world.accounts.get(accountId);
  if (account === undefined || account.userId !== source.userId) throw notFound('account', accountId);
  const region = account.type === 'us' ? account.us : account.africa;
  if (region?.currency !== currency) {
    throw invalidField('source.accountId', `is an account of another currency than ${source.currency}`);
  }
  if (account.type === 'africa') {
    const wanted = source.country?.toLowerCase() ?? region.country;
    if (wanted !== region.country || !isUsedIn(currency, region.country)) {
      throw invalidField(
        'source.accountId',
        `is an account of another country than that of ${source.currency}`,
      );
    }
  }
  if (account.status !== 'ACTIVE') {
    throw new ServiceProblem(
      400,
      'ACCOUNT_NOT_ACTIVE',
      `The account is ${account.status}; an onramp needs an ACTIVE one`,
    );
  }
  return account;
}

function railOf(account: AccountRecord | undefined): string | null {
  const rail = account?.us?.transferType ?? account?.africa?.accountType;
  return typeof rail === 'string' ? rail : null;
}
