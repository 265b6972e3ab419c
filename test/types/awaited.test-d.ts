import { describe, it } from 'vitest';
import {
  type Account,
  accountIdOf,
  approvalExpiresAt,
  approvalOf,
  canRefreshQuote,
  isActiveAccount,
  isFailedOnramp,
  isKnownOnrampStatus,
  isTerminalOnramp,
  type Onramp,
  type PaymentsClient,
  paymentResult,
  quoteExpiresAt,
  reconcile,
  requestIdFrom,
  type Transfer,
} from '../../src/client/index.ts';

declare const payments: PaymentsClient;
declare const unread: unknown;
declare const transfer: Transfer;
declare const transfers: Promise<Transfer[]>;
declare const onramp: Promise<Onramp>;
declare const account: Promise<Account>;
declare const mixed: Transfer | Promise<Transfer>;

// Issue 60: "`paymentResult(promise)` and the other helpers refuse a promise at compile time".
describe('a helper', () => {
  it('takes no promise', () => {
    // @ts-expect-error the await is missing
    paymentResult(payments.transfers.create({} as never));
    // @ts-expect-error the await is missing
    paymentResult(Promise.resolve(transfer));
    // @ts-expect-error the await may be missing
    paymentResult(mixed);
    // @ts-expect-error the await is missing
    approvalOf(payments.transfers.create({} as never));
    // @ts-expect-error the await is missing
    isTerminalOnramp(payments.onramps.create({} as never));
    // @ts-expect-error the await is missing
    isFailedOnramp(onramp);
    // @ts-expect-error the await is missing
    canRefreshQuote(onramp);
    // @ts-expect-error the await is missing
    quoteExpiresAt(onramp);
    // @ts-expect-error the await is missing
    isKnownOnrampStatus(Promise.resolve('COMPLETED'));
    // @ts-expect-error the await is missing
    approvalExpiresAt(payments.approvals.list());
    // @ts-expect-error the await is missing
    approvalExpiresAt(payments.approvals.approve('a1'));
    // @ts-expect-error the await is missing
    accountIdOf(account);
    // @ts-expect-error the await is missing
    isActiveAccount(payments.accounts.retrieve('u1', 'a1'));
    // @ts-expect-error the await is missing
    requestIdFrom(Promise.resolve('invoice'));
    // @ts-expect-error the await is missing
    reconcile(transfers, []);
    // @ts-expect-error the await is missing
    reconcile([], transfers);
  });

  it('takes what it could read, whatever its type', () => {
    paymentResult(transfer);
    paymentResult(unread);
    paymentResult(JSON.parse('{}'));
    [transfer].map(paymentResult);
  });
});
