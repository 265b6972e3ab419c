import { invalidField, notFound, ServiceProblem } from '../../http/problem.ts';
import type { World } from '../../state/world.ts';
import { isUsedIn } from '../accounts.ts';
import { exactAmount, isKnownCurrency, newQuote } from '../quotes.ts';
import type { AccountRecord, OnrampDetails, OnrampRecord } from '../records/index.ts';
import { addressOn } from '../transfers/wallets.ts';
import { findUser, partyOf, requireRail } from '../users.ts';
import { depositInfoOf } from './deposits.ts';

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
