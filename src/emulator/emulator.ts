import type { OnrampStatus } from '../types/onramp.ts';
import type { EmulatorDeliveries } from './delivery/delivery-records.ts';
import type { EmulatorEvents } from './delivery/event-log.ts';
import type { Dialect, DialectName, DialectOptions } from './dialect/dialect.ts';
import type { CustomRoute } from './http/custom-routes.ts';
import type { RequestRecord } from './options.ts';
import type * as records from './service/records/index.ts';
import type { CreateMetricParams } from './service/reporting/metrics.ts';
import type { SetBalanceParams } from './service/transfers/balances.ts';
import type { AddExternalWalletParams } from './service/transfers/wallets.ts';
import type { CreateUserParams } from './service/users.ts';
import type { EmulatorClock } from './state/clock.ts';
import type { EmulatorState } from './state/emulator-state.ts';
import type { EmulatorFaults } from './state/faults.ts';
import type { EmulatorSnapshot } from './state/snapshot.ts';
import type { EmulatorPayment } from './testing/payments.ts';

/**
 * The emulated service. Use it through `fetch`, msw or a server, and control it with its methods. A method that gets a
 * wrong argument, an unknown id, or a record in the wrong status throws an Error with the `status` and `code` that the
 * service would respond with; `message` names the field. Nothing is changed then.
 *
 * @example
 * ```ts
 * const emulator = createEmulator({ seed: 1 });
 * const { userId } = emulator.createUser({ rails: ['usd'] });
 * const onramp = await payments.onramps.create({
 *   source: { userId, currency: 'usd', amount: 100, transferType: 'ach' },
 *   destination: { userId, currency: 'usdc', chain: 'POLYGON' },
 * });
 * emulator.simulateDeposit(onramp.transferDetails.id); // the customer's bank transfer
 * ```
 */
export interface Emulator {
  /**
   * Responds to a request like the service, for the client's `fetch` option: any origin, no network.
   *
   * @param input - The URL or the request.
   * @param init - The method, the headers, the body and the signal.
   * @throws TypeError when a fault breaks the connection; the signal's reason when the signal fires.
   *
   * @example
   * ```ts
   * const payments = new PaymentsClient({ baseUrl, accessToken: 'any', fetch: emulator.fetch });
   * ```
   */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /**
   * Responds to one request, as `fetch` does, for frameworks that pass a `Request`.
   *
   * @param request - The request.
   * @throws TypeError when a fault breaks the connection; the signal's reason when the signal fires.
   */
  handle(request: Request): Promise<Response>;
  /** Every timestamp and every expiry follows it. */
  readonly clock: EmulatorClock;
  /** The emitted events, and their delivery. */
  readonly events: EmulatorEvents;
  /** The deliveries of events to the webhook, with their attempts. */
  readonly deliveries: EmulatorDeliveries;
  /** Faults for the next calls, and functions to inject and clear them. */
  readonly faults: EmulatorFaults;
  /** The seed of the ids and rates: from the options, or generated. */
  readonly seed: string;
  /** The webhook's signing secret: from the options, or generated; `undefined` without a webhook. */
  readonly webhookSecret: string | undefined;
  /** Every decision of the current dialect. */
  readonly dialect: Readonly<Dialect>;
  /**
   * Switches to another dialect, for all later requests.
   *
   * @param dialect - `'spec'`, `'field'`, or single decisions.
   * @throws TypeError when a decision or its value does not exist.
   *
   * @example
   * ```ts
   * emulator.setDialect('field');
   * ```
   */
  setDialect(dialect: DialectName | DialectOptions): void;
  /**
   * Returns the public key, as PEM, that verifies the deliveries of a dialect that signs with a JWT; `undefined` without
   * a webhook.
   */
  webhookPublicKey(): Promise<string | undefined>;
  /** Returns the body of `GET /_emulator/state`. */
  state(): EmulatorState;
  /** Returns the latest requests, oldest first. */
  requests(): RequestRecord[];
  /** Returns every transfer, batch, bridge, offramp and onramp, oldest first, with its `requestId`. */
  payments(): EmulatorPayment[];
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
    rails: records.KycRail[];
    /** The KYC record. */
    kycInfo: Record<string, unknown>;
  };
  /**
   * Saves a metric. Retrieve its results by its id.
   *
   * @param params - The name, template, interval, breakdowns (at most 5) and filters. Default: daily gross volume.
   * @throws Error when a field is invalid.
   *
   * @example
   * ```ts
   * const { id } = emulator.createMetric({ breakdowns: ['transactionType'] });
   * const results = await payments.reporting.retrieveResults(id);
   * ```
   */
  createMetric(params?: CreateMetricParams): records.MetricRecord;
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
  addExternalWallet(params: AddExternalWalletParams): records.ExternalWalletRecord;
  /**
   * Sets the balance of a user for a currency on a chain. Balances that were never set are unlimited.
   *
   * @param params - The user, currency and chain, and `amount` in units of the currency, from 0. With `null` the balance
   * is unlimited again.
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
  ): records.OnrampObject;
  /**
   * Simulates the customer's bank transfer.
   *
   * @param id - The onramp's `transferDetails.id`.
   * @param deposit - `amount` in units of the currency, above 0, and `reference`. Default: as the onramp expects them.
   * @throws Error when the onramp is unknown, or does not wait for a deposit.
   *
   * @example
   * ```ts
   * emulator.simulateDeposit(id, { amount: 99 }); // less than the onramp expects
   * ```
   */
  simulateDeposit(
    id: string,
    deposit?: { amount?: number | undefined; reference?: string | undefined },
  ): records.OnrampObject;
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
    transferDetails: records.EmulatedOnrampDetails | records.EmulatedTransferDetails;
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
      status: records.EmulatedAccountStatus;
      invalidFields?: readonly string[] | null | undefined;
    },
  ): records.AccountRecord;
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
  approve(approvalId: string, vote?: { comment?: string | null | undefined }): records.ApprovalRecord;
  /**
   * Adds an operation that the emulator does not have, or replaces one. It uses the same auth, request log and faults
   * as the others.
   *
   * @param route - The method, the path with `{placeholders}`, and the function that responds.
   * @throws TypeError when the method or the path is invalid.
   *
   * @example
   * ```ts
   * emulator.route({
   *   method: 'GET',
   *   path: '/v2/wallets/{id}/limits',
   *   handle: ({ path }) => ({ body: { id: path.id, daily: 1000 } }),
   * });
   * ```
   */
  route(route: CustomRoute): void;
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
  reject(approvalId: string, vote?: { comment?: string | null | undefined }): records.ApprovalRecord;
  /** Deletes all state and starts again. With a frozen clock, the same script then gets the same bytes. */
  reset(): void;
  /** Returns the complete state, for `restore` in this emulator or another one. */
  snapshot(): EmulatorSnapshot;
  /**
   * Restores the state of a snapshot.
   *
   * @param snapshot - The value that `snapshot()` returned, in this process or another, also as parsed JSON.
   * @throws Error when the value is not a snapshot of this version, or was changed. Nothing is changed then.
   *
   * @example
   * ```ts
   * const before = emulator.snapshot();
   * emulator.restore(before);
   * ```
   */
  restore(snapshot: unknown): void;
  /**
   * Resolves when no delivery of an event is in progress and none is due by the emulator's clock.
   *
   * @example
   * ```ts
   * emulator.approve(approval.id);
   * await emulator.delivered();
   * ```
   */
  delivered(): Promise<void>;
  /** Ends the deliveries in progress, and cancels the planned retries. */
  close(): void;
}
