import type { OnrampStatus } from '../../shared/service/onramps.ts';
import type { MetricRecord } from '../service/records/metrics-and-events.ts';
import type { OnrampObject } from '../service/records/onramp.ts';
import type { ApprovalRecord, EmulatedTransferDetails } from '../service/records/transfer.ts';
import type {
  AccountRecord,
  EmulatedAccountStatus,
  ExternalWalletRecord,
  KycRail,
} from '../service/records/users.ts';
import type { CreateMetricParams } from '../service/reporting/metrics.ts';
import type { SetBalanceParams } from '../service/transfers/balances.ts';
import type { AddExternalWalletParams } from '../service/transfers/wallets.ts';
import type { CreateUserParams } from '../service/users.ts';
import type { EmulatorState } from '../state/emulator-state.ts';

/** The methods with which a test creates records and moves them on. `Emulator` has all of them. */
export interface EmulatorTestMethods {
  /**
   * Creates a user.
   *
   * @param params - `rails`: the active rails; `kyc`: fields of the KYC record, the others are generated;
   * `externalWallets`: their number, 0 to 100, by default 3.
   * @throws Error when a rail does not exist, or the number of wallets is out of its limits.
   *
   * @example
   * ```ts
   * const { userId } = emulator.createUser({ rails: ['usd', 'africa'] });
   * ```
   */
  createUser(params?: CreateUserParams): {
    /** The same as `userId`. */
    id: string;
    /** The id of the user. */
    userId: string;
    /** The rails that are active. */
    rails: KycRail[];
    /** The KYC record. */
    kycInfo: Record<string, unknown>;
  };
  /**
   * Saves a metric. Retrieve its results by its id.
   *
   * @param params - The name, template, interval, breakdowns (at most 5) and `rows`. Without rows, completed payments are
   * counted by day.
   * @throws Error when a field is invalid.
   *
   * @example
   * ```ts
   * const rows = [{ periodStart: '2026-01-01', currency: 'usdc', grossVolume: 250 }];
   * const { id } = emulator.createMetric({ breakdowns: ['currency'], rows });
   * const results = await payments.reporting.retrieveResults(id);
   * ```
   */
  createMetric(params?: CreateMetricParams): MetricRecord;
  /**
   * Adds an external wallet to a user.
   *
   * @param params - The user, and the fields to set. The others are generated.
   * @throws Error when the user is unknown, or a field is invalid.
   *
   * @example
   * ```ts
   * const wallet = emulator.addExternalWallet({ userId, chain: 'POLYGON' });
   * ```
   */
  addExternalWallet(params: AddExternalWalletParams): ExternalWalletRecord;
  /**
   * Sets the balance of a user for a currency on a chain. Balances that were never set are unlimited.
   *
   * @param params - The user, currency and chain, and `amount` in units of the currency, from 0: a number or a decimal text.
   * With `null` the balance is unlimited again.
   * @returns The balance; null when it is unlimited.
   * @throws Error when the user is unknown, or a field is invalid.
   *
   * @example
   * ```ts
   * emulator.setBalance({ userId, currency: 'usdc', chain: 'POLYGON', amount: 10 });
   * ```
   */
  setBalance(params: SetBalanceParams): EmulatorState['balances'][number] | null;
  /**
   * Sets an onramp to any status.
   *
   * @param id - The onramp's `transferDetails.id`.
   * @param change - The status, and for a failed one the `error` code and `errorDetails`.
   * @throws Error when the onramp or the status is unknown.
   *
   * @example
   * ```ts
   * emulator.advanceOnramp(id, { status: 'FIAT_FAILED', error: 'AMOUNT_TOO_LOW' });
   * ```
   */
  advanceOnramp(
    id: string,
    change: {
      /** The new status. */
      status: OnrampStatus;
      /** The failure’s code. */
      error?: string | null | undefined;
      /** The failure in a sentence. */
      errorDetails?: string | null | undefined;
    },
  ): OnrampObject;
  /**
   * Simulates the customer's bank transfer.
   *
   * @param id - The onramp's `transferDetails.id`.
   * @param deposit - `amount` in units of the currency, above 0, as a number or a decimal text, and `reference`. Default: as the onramp expects them.
   * @throws Error when the onramp is unknown, or does not wait for a deposit.
   *
   * @example
   * ```ts
   * emulator.simulateDeposit(id, { amount: 99 }); // less than the onramp expects
   * ```
   */
  simulateDeposit(
    id: string,
    deposit?: { amount?: number | string | undefined; reference?: string | undefined },
  ): OnrampObject;
  /**
   * Accepts the open quote of an onramp or a transfer, in a dialect with quotes that must be accepted.
   *
   * @param id - The `transferDetails.id` of the onramp, bridge or offramp.
   * @throws Error when the record is unknown, or has no open quote.
   *
   * @example
   * ```ts
   * emulator.acceptQuote(offramp.transferDetails.id);
   * ```
   */
  acceptQuote(id: string): {
    /** The kind of transfer. */
    transferType: string;
    /** The transfer itself. */
    transferDetails: OnrampObject['transferDetails'] | EmulatedTransferDetails;
  };
  /**
   * Sets the result of the validation of an account, or resets it with `PENDING`.
   *
   * @param id - The id of the account.
   * @param validation - The status, and for `REJECTED` the fields that are invalid.
   * @throws Error when the account is unknown, or a field is invalid.
   *
   * @example
   * ```ts
   * emulator.validateAccount(id, { status: 'REJECTED', invalidFields: ['accountHolder.name'] });
   * ```
   */
  validateAccount(
    id: string,
    validation: {
      status: EmulatedAccountStatus;
      invalidFields?: readonly string[] | null | undefined;
    },
  ): AccountRecord;
  /**
   * Approves a pending transfer. It needs no token, and faults do not apply to it.
   *
   * @param approvalId - The id of the approval.
   * @param vote - `comment`: at most 1000 characters.
   * @throws Error when the approval is unknown, or is decided already.
   *
   * @example
   * ```ts
   * emulator.approve(approval.id, { comment: 'checked' });
   * ```
   */
  approve(approvalId: string, vote?: { comment?: string | null | undefined }): ApprovalRecord;
  /**
   * Rejects a pending transfer, which then never executes. It needs no token, and faults do not apply to it.
   *
   * @param approvalId - The id of the approval.
   * @param vote - `comment`: at most 1000 characters.
   * @throws Error when the approval is unknown, or is decided already.
   *
   * @example
   * ```ts
   * emulator.reject(approval.id, { comment: 'wrong payee' });
   * ```
   */
  reject(approvalId: string, vote?: { comment?: string | null | undefined }): ApprovalRecord;
}
