import type { InboundObject } from '../../../shared/service/deposits.ts';
import { waitsForAcceptance } from '../../dialect/payments.ts';
import { notFound, ServiceProblem } from '../../problem.ts';
import type { NewOnramp } from '../../reading/payment-bodies.ts';
import type { Micros } from '../../state/money.ts';
import type { World } from '../../state/world.ts';
import { usableAccount } from '../accounts.ts';
import { emitOnramp } from '../events.ts';
import { AFRICAN_CURRENCIES, developerFeeOf, exactAmount, newQuote } from '../quotes.ts';
import type { DepositInfo, EmulatedOnrampDetails, Money, OnrampRecord } from '../records/onramp.ts';
import type { AccountRecord } from '../records/users.ts';
import type { Written } from '../records/written.ts';
import { addressOn, walletOf } from '../transfers/wallets.ts';
import { findUser, partyOf, requireRail } from '../users.ts';

export function addOnramp(world: World, params: NewOnramp): OnrampRecord {
  const { source, destination } = params;
  const payer = findUser(world, source.userId);
  const payee = typeof destination.userId === 'string' ? findUser(world, destination.userId) : undefined;
  const wanted = wantedAmount(params);
  requireRail(payer, AFRICAN_CURRENCIES.includes(source.currency) ? 'africa' : 'usd');
  const account = sourceAccount(world, params);
  const wallet = walletOf(world, destination.externalWalletId);
  const currency = destination.currency ?? 'usdc';
  const chain = destination.chain ?? wallet?.chain ?? 'ETHEREUM';
  const id = world.ids.uuid('onramp');
  const now = world.clock.iso();
  const rail = source.transferType ?? transferRailOf(account);
  const accepted = waitsForAcceptance(world.dialect, 'ONRAMP');
  const isOneTime = account === undefined && !accepted;
  const quote = newQuote(world, {
    ...wanted,
    from: source.currency,
    to: currency,
    rail: rail ?? '',
    expires: !isOneTime,
  });
  const sent = Number(quote.sendGross.amount);
  const details: EmulatedOnrampDetails = {
    id,
    requestId: params.requestId,
    createdAt: now,
    updatedAt: now,
    status: isOneTime ? 'AWAITING_FUNDS' : 'OPEN_QUOTE',
    failedReason: null,
    purposeOfPayment: params.purposeOfPayment ?? null,
    isInstant: params.isInstant ?? null,
    source: {
      userId: payer.id,
      currency: source.currency,
      amount: sent,
      transferType: rail,
      accountId: account?.id ?? null,
      user: partyOf(payer),
      bankInfo: null,
    },
    destination: {
      userId: payee?.id ?? null,
      currency,
      chain,
      walletAddress:
        wallet?.address ?? addressOn(world, chain, payee?.id ?? destination.externalWalletId ?? id),
      externalWalletId: destination.externalWalletId ?? null,
      amount: Number(quote.receiveNet.amount),
      user: payee === undefined ? null : partyOf(payee),
    },
    receipt: { transactionHash: null },
    developerFee: developerFeeOf(world, id, params.fee, exactAmount(sent, 'source.amount')),
    virtualAccountId: null,
    quoteInformation: quote,
    depositInfo: isOneTime ? depositInfoOf(world, id, quote.sendGross) : null,
  };
  const onramp = world.onramps.add({
    id,
    requestId: params.requestId,
    ...(typeof destination.amount === 'number' ? { receiveAmount: destination.amount } : {}),
    transferType: 'ONRAMP',
    transferDetails: details,
  });
  if (isOneTime) planExpiry(world, onramp);
  emitOnramp(world, 'TRANSACTION.CREATED', details);
  return onramp;
}

export function findOnramp(world: World, id: string): OnrampRecord {
  const onramp = world.onramps.get(id);
  if (onramp === undefined) throw notFound('transfer', id);
  return onramp;
}

export function refreshOnrampQuote(world: World, id: string): OnrampRecord {
  const onramp = findOnramp(world, id);
  const details = onramp.transferDetails;
  requireOpenQuote(details, 'refreshed');
  renewQuote(world, onramp);
  details.updatedAt = world.clock.iso();
  emitOnramp(world, 'STATUS.OPEN_QUOTE', details);
  return onramp;
}

/** Accepts the open quote of an onramp, which then waits for its money. */
export function acceptOnrampQuote(world: World, id: string): OnrampRecord {
  const onramp = findOnramp(world, id);
  const details = onramp.transferDetails;
  requireOpenQuote(details, 'accepted');
  if (world.clock.millis() > Date.parse(details.quoteInformation.expiresAt)) {
    throw new ServiceProblem(
      400,
      'INVALID_QUOTE',
      'The quote has expired; refresh it and accept the new one',
    );
  }
  details.status = 'AWAITING_FUNDS';
  details.updatedAt = world.clock.iso();
  if (details.source.accountId === null) {
    details.depositInfo = depositInfoOf(world, id, details.quoteInformation.sendGross);
  }
  planExpiry(world, onramp);
  emitOnramp(world, 'STATUS.AWAITING_FUNDS', details);
  return onramp;
}

function requireOpenQuote({ status }: EmulatedOnrampDetails, change: string): void {
  if (status === 'OPEN_QUOTE') return;
  const message = `A quote can be ${change} only in OPEN_QUOTE; this onramp is ${status}`;
  throw new ServiceProblem(409, 'INVALID_QUOTE', message);
}

/** Lets an onramp expire if no deposit arrives within the window that begins now. */
export function planExpiry(world: World, { id, transferDetails: { depositInfo } }: OnrampRecord): void {
  const at = world.clock.millis() + world.pace.depositWindow;
  if (depositInfo !== null) depositInfo.depositBy = new Date(at).toISOString();
  world.tasks.plan({ id, kind: 'onramp.expire', at });
}

/** The amount that the request fixes: the amount to send, or the amount to receive. */
function wantedAmount({ source, destination }: NewOnramp): { amount: Micros; receive?: Micros } {
  if (typeof source.amount === 'number') return { amount: exactAmount(source.amount, 'source.amount') };
  return { amount: 0n, receive: exactAmount(destination.amount ?? 0, 'destination.amount') };
}

function renewQuote(world: World, { receiveAmount, transferDetails: details }: OnrampRecord): void {
  const { source, destination } = details;
  details.quoteInformation = newQuote(world, {
    amount: exactAmount(source.amount, 'source.amount'),
    receive: receiveAmount === undefined ? undefined : exactAmount(receiveAmount, 'destination.amount'),
    from: source.currency,
    to: destination.currency,
    rail: source.transferType ?? '',
    expires: true,
  });
  source.amount = Number(details.quoteInformation.sendGross.amount);
  destination.amount = Number(details.quoteInformation.receiveNet.amount);
}

/** The registered account that an onramp draws on. Without one the deposit is a one-time one. */
function sourceAccount(world: World, { source }: NewOnramp): AccountRecord | undefined {
  const { accountId, currency, userId } = source;
  if (typeof accountId !== 'string') return undefined;
  return usableAccount(world, userId, accountId, { rail: 'onramp', currency });
}

function transferRailOf(account: AccountRecord | undefined): string | null {
  const rail = account?.us?.transferType ?? account?.africa?.accountType;
  return typeof rail === 'string' ? rail : null;
}

const BANK = { bankName: 'Example Bank', bankAddress: '1 Example Plaza, New York, NY 10001, USA' } as const;

/** A routing number that passes a bank's check digit and belongs to nobody who could be paid by mistake. */
const ROUTING = '000000000';

/** Deposit instructions for one transaction of one amount. */
function depositInfoOf(world: World, onrampId: string, gross: Money): DepositInfo {
  const accountNumber = world.ids.digits(`deposit-account/${onrampId}`, 12);
  const reference = `DEP${world.ids.hex(`reference/${onrampId}`, 10).toUpperCase()}`;
  const numbers = { routingNumber: ROUTING, accountNumber };
  return {
    ...BANK,
    swiftCode: 'EXMPUS00XXX',
    beneficiary: { name: 'Example Settlement Inc', address: '2 Example Plaza, New York, NY 10001, USA' },
    ach: numbers,
    wire: numbers,
    rtp: numbers,
    reference,
    depositBy: new Date(world.clock.millis() + world.pace.depositWindow).toISOString(),
    instruction: `Send exactly ${gross.amount} ${gross.currency} and put ${reference} into the memo of the transfer`,
  };
}

/** The receiving bank's details of a deposit. */
export function bankInfoOf(world: World, details: EmulatedOnrampDetails): Written<InboundObject> {
  const rail = details.source.transferType;
  const { ids } = world;
  const wire = rail === 'wire';
  const trace = ids.digits(`trace/${details.id}`, 15);
  const sender = [details.source.user.firstName, details.source.user.lastName].filter(Boolean).join(' ');
  return {
    ...BANK,
    beneficiaryName: 'Example Settlement Inc',
    referenceNumber: `REF${trace.slice(0, 9)}`,
    senderName: sender === '' ? 'Example Sender' : sender,
    routingNumber: ROUTING,
    accountNumber: ids.digits(`sender-account/${details.source.userId}`, 10),
    accountType: 'checking',
    paymentRail: rail === 'wire' || rail === 'rtp' ? rail : 'ach',
    fedBatchId: wire ? '' : trace.slice(0, 7),
    imad: wire ? `IMAD${trace}` : '',
    omad: wire ? `OMAD${trace}` : '',
    traceNumber: trace,
    description: details.depositInfo?.reference ?? details.id,
  };
}
