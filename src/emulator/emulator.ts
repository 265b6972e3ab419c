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

/** The emulated service. Use it through `fetch`, msw or a server, and control it with its methods. */
export interface Emulator {
  /** A replacement for the client's `fetch` option: any origin, no network, with realistic faults and aborts. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** Responds to one request, as `fetch` does. */
  handle(request: Request): Promise<Response>;
  /** The clock of the emulator. */
  readonly clock: EmulatorClock;
  /** The emitted events, and their delivery. */
  readonly events: EmulatorEvents;
  /** The deliveries of events to the webhook, with their attempts. */
  readonly deliveries: EmulatorDeliveries;
  /** The injected faults. */
  readonly faults: EmulatorFaults;
  /** The seed of the ids and rates: from the options, or generated. */
  readonly seed: string;
  /** The webhook's signing secret: from the options, or generated; `undefined` without a webhook. */
  readonly webhookSecret: string | undefined;
  /** Every decision of the current dialect. */
  readonly dialect: Readonly<Dialect>;
  /** Switches to another dialect. */
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
  /** Creates a user with the given active rails. Fields of the KYC record that `kyc` does not set are generated. */
  createUser(params?: CreateUserParams): {
    /** Its id. */
    id: string;
    /** The user it belongs to. */
    userId: string;
    /** The rails that are active. */
    rails: records.KycRail[];
    /** The KYC record. */
    kycInfo: Record<string, unknown>;
  };
  /** Saves a metric. Retrieve its results by its id. Default: daily gross volume. */
  createMetric(params?: CreateMetricParams): records.MetricRecord;
  /** Adds an external wallet to a user. */
  addExternalWallet(params: AddExternalWalletParams): records.ExternalWalletRecord;
  /** Sets the balance of a user for a currency on a chain. With `null` as the amount it is unlimited again. */
  setBalance(params: SetBalanceParams): EmulatorState['balances'][number] | null;
  /** Sets an onramp to any status. */
  advanceOnramp(
    id: string,
    change: {
      /** Its state. */
      status: OnrampStatus;
      /** The failure’s code. */
      error?: string | null | undefined;
      /** The failure in a sentence. */
      errorDetails?: string | null | undefined;
    },
  ): records.OnrampObject;
  /** Simulates the customer's bank transfer. Default: the correct amount with the correct reference. */
  simulateDeposit(
    id: string,
    deposit?: { amount?: number | undefined; reference?: string | undefined },
  ): records.OnrampObject;
  /** Accepts the open quote of an onramp or a transfer, in a dialect with quotes that must be accepted. */
  acceptQuote(id: string): {
    /** The kind of transfer. */
    transferType: string;
    /** The transfer itself. */
    transferDetails: records.EmulatedOnrampDetails | records.EmulatedTransferDetails;
  };
  /** Sets the result of the validation of an account, or resets it. */
  validateAccount(
    id: string,
    validation: {
      status: records.EmulatedAccountStatus;
      invalidFields?: readonly string[] | null | undefined;
    },
  ): records.AccountRecord;
  /** Approves a pending transfer. It needs no token, and faults do not apply to it. */
  approve(approvalId: string, vote?: { comment?: string | null | undefined }): records.ApprovalRecord;
  /**
   * Adds an operation that the emulator does not have, or replaces one. It uses the same auth, request log and faults
   * as the others.
   */
  route(route: CustomRoute): void;
  /** Rejects a pending transfer, which then never executes. */
  reject(approvalId: string, vote?: { comment?: string | null | undefined }): records.ApprovalRecord;
  /** Deletes all state and starts again. With a frozen clock, the same script then gets the same bytes. */
  reset(): void;
  /** Returns the complete state, for `restore` in this emulator or another one. */
  snapshot(): EmulatorSnapshot;
  /** Restores the state of a snapshot. Throws if the value is not a snapshot. */
  restore(snapshot: unknown): void;
  /** Resolves when no delivery of an event is in progress and none is due by the emulator's clock. */
  delivered(): Promise<void>;
  /** Ends the deliveries in progress, and cancels the planned retries. */
  close(): void;
}
