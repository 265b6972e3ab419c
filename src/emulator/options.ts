import type { DeliveryAttempt } from './delivery/delivery-attempt.ts';
import type { DialectName, DialectOptions } from './dialect/dialect.ts';
import type { CustomRoute } from './http/custom-routes.ts';
import type { EmulatorClockOptions } from './state/clock.ts';
import type { Duration } from './state/duration.ts';
import type { Duplicates } from './state/ledger.ts';

/** One request and its outcome; no header, no body and no query, so that a log of these shows no secret. */
export interface RequestRecord {
  /** The id of the request in the log, such as `request-5`. */
  id: string;
  /** When the emulator responded, by its clock. */
  at: string;
  /** The HTTP method. */
  method: string;
  /** The path, without its query. */
  path: string;
  /** The operation as the client names it; `null` for the emulator's own routes and unknown paths. */
  operation: string | null;
  /** The `requestId` of the body, where it has one that is a UUID. */
  requestId: string | null;
  /** The status; `null` where a fault let no status out. */
  status: number | null;
  /** The name and the message of the refusal; `null` where the request was not refused. */
  error: string | null;
  /** The kind of the fault that struck, if one did. */
  fault: string | null;
  /** Real milliseconds that it took. */
  duration: number;
}

/** Where events are delivered to. */
export interface WebhookOptions {
  /** The address that gets a POST per event. */
  url: string;
  /**
   * The signing secret, `whsec_` and base64. Default: one made from the seed, to be read at `emulator.webhookSecret`.
   */
  secret?: string;
  /** The private key (PKCS#8, PEM) of a dialect that signs with a JWT. Default: one is made; see `webhookPublicKey`. */
  privateKey?: string;
  /**
   * The waits before the second and later attempts, by the emulator's clock. Default: nine attempts within 24 hours,
   * after 5 s, 1 m, 5 m, 30 m, 2 h, 5 h, 8 h and 8 h. A Retry-After header makes a wait longer, never shorter.
   */
  retryDelays?: readonly Duration[];
  /** Whether an event is sent again after a 4xx response. Default `false`, as services of this kind do. */
  retryClientErrors?: boolean;
  /** How long one attempt may take, in real time. Default 5 s. */
  timeout?: Duration;
  /** Called after every attempt, with its status and what follows from it. */
  onAttempt?: (attempt: DeliveryAttempt) => void;
  /** Sends the request. Default: the global `fetch`. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

/** Options of `createEmulator`. */
export interface EmulatorOptions {
  /** How the clock starts and runs. Default: real time, or frozen at 2026-01-01T00:00:00Z where a `seed` is given. */
  clock?: EmulatorClockOptions;
  /** What every id and rate follows from. With a frozen clock the same script gets the same bytes. Default: random. */
  seed?: string | number;
  /** The bearer token, or tokens, that are accepted. Default: any that is not empty. */
  token?: string | readonly string[];
  /**
   * How the service does what its description leaves open: `'spec'`, `'field'` (as services of this kind behave),
   * single decisions, or `{ random: seed }`. Default `'spec'`.
   */
  dialect?: DialectName | DialectOptions;
  /**
   * The response to a `requestId` that was used before: the first response, or a refusal. Default: as the dialect says.
   */
  duplicates?: Duplicates;
  /** Where events are delivered to. Default: nowhere but to listeners. */
  webhook?: WebhookOptions;
  /** When a new account's validation ends by itself; `'manual'` leaves it to `validateAccount`. Default `'3s'`. */
  accountValidation?: Duration | 'manual';
  /** How long each status of an executing transfer or funded onramp lasts. Default 0: the next look sees the end. */
  settlementStep?: Duration;
  /** How long a quote holds; `'N/A'` states no expiry, as the spec's example has it. Default `'15m'`. */
  quoteLifetime?: Duration | 'N/A';
  /** How long a one-time deposit is awaited. Default `'7d'`. */
  depositWindow?: Duration;
  /** How many records of each kind, events and requests are kept, 1 to 1,000,000. Default 10,000. */
  historyLimit?: number;
  /** Operations that the service has and the emulator does not, as `emulator.route` adds them. */
  routes?: readonly CustomRoute[];
  /** Called after every request. */
  onRequest?: (request: RequestRecord) => void;
}
