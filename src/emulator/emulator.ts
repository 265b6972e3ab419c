import type { EmulatorDeliveries } from './delivery/delivery-records.ts';
import type { EmulatorEvents } from './delivery/event-log.ts';
import type { Dialect } from './dialect/dialect.ts';
import type { CustomRoute } from './http/custom-routes.ts';
import type { RequestRecord } from './options.ts';
import type { EmulatorClock } from './state/clock.ts';
import type { EmulatorState } from './state/emulator-state.ts';
import type { EmulatorFaults } from './state/faults.ts';
import type { EmulatorSnapshot } from './state/snapshot.ts';
import type { EmulatorTestMethods } from './testing/methods.ts';
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
export interface Emulator extends EmulatorTestMethods {
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
  /** Every decision of the dialect. */
  readonly dialect: Readonly<Dialect>;
  /**
   * Returns the public key, as PEM, that verifies the deliveries of a dialect that signs with a JWT; `undefined` without
   * a webhook.
   */
  webhookPublicKey(): Promise<string | undefined>;
  /** Returns the body of `GET /_emulator/state`. */
  state(): EmulatorState;
  /** Returns the latest 1,000 requests, oldest first. */
  requests(): RequestRecord[];
  /** Returns every transfer, batch, bridge, offramp and onramp, oldest first, with its `requestId`. */
  payments(): EmulatorPayment[];
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
