import * as z from 'zod/mini';
import { plainName } from '../shared/option-names.ts';
import { functionOf } from '../shared/schema/option-values.ts';
import { check, flag, lazy, matching, strictObject, textLike } from '../shared/schema/schema.ts';
import type { DeliveryAttempt } from './delivery/delivery-records.ts';
import { type DialectName, type DialectOptions, decisionFields, dialectOption } from './dialect/dialect.ts';
import { type CustomRoute, customRoute } from './http/custom-routes.ts';
import { durationOr, optionsOf } from './reading/options.ts';
import { type Duration, type EmulatorClockOptions, problemOfInstant, toMilliseconds } from './state/clock.ts';

/** A request and its response, without headers, body and query, so that a log of these shows no secret. */
export interface RequestRecord {
  /** The id of the request in the log, such as `request-5`. */
  id: string;
  /** The time of the response, by the emulator's clock. */
  at: string;
  /** HTTP method in upper case. */
  method: string;
  /** The path, without its query. */
  path: string;
  /** The operation as the client names it; `null` for the emulator's own routes and unknown paths. */
  operation: string | null;
  /** The `requestId` of the body; `null` if it is missing or not a UUID. */
  requestId: string | null;
  /** The amount of the body with its currency, such as `25 usdc`; `null` if it has none. */
  amount: string | null;
  /** The HTTP status of the response; `null` if a fault stopped the response. */
  status: number | null;
  /** The name and the message of the error; `null` if the request succeeded. */
  error: string | null;
  /** The kind of the fault that applied; `null` if none did. */
  fault: string | null;
  /** The duration in real milliseconds. */
  duration: number;
}

/**
 * Sets where and how the emulator delivers events. They are signed at the emulator's time: if its clock is not the real
 * time, pass `now: () => emulator.clock.now().getTime()` to the receiver.
 */
export interface EmulatorWebhookOptions {
  /** The address that receives a POST for each event. */
  url: string;
  /**
   * The signing secret: `whsec_` and base64. Default: a secret that follows from the seed; read `emulator.webhookSecret`.
   */
  secret?: string;
  /**
   * The waits before the second and later attempts, by the emulator's clock. Default: nine attempts within 24 hours,
   * after 5 s, 1 m, 5 m, 30 m, 2 h, 5 h, 8 h and 8 h. A Retry-After header in seconds makes a wait longer.
   */
  retryDelays?: readonly Duration[];
  /** True retries a delivery after a 4xx response. Default `false`, as in most services. */
  retryClientErrors?: boolean;
  /** The timeout of one attempt, in milliseconds of real time or as `'5s'`. Default 5 s. */
  timeout?: Duration;
  /** Called after every attempt, with its status and the state of the delivery. */
  onAttempt?: (attempt: DeliveryAttempt) => void;
  /** Sends the request. Default: the global `fetch`. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

/** Options of `createEmulator`. */
export interface EmulatorOptions {
  /** The start and the mode of the clock. Default: real time, or frozen at 2026-01-01T00:00:00Z if you set `seed`. */
  clock?: EmulatorClockOptions;
  /** The seed of every id and rate. With a frozen clock, the same script gets the same bytes. Default: random. */
  seed?: string | number;
  /** The bearer tokens that the emulator accepts. Default: any token that is not empty. */
  token?: string | readonly string[];
  /**
   * Decides what the spec leaves open: `'spec'`, `'field'` (as most services behave), or single decisions. Default
   * `'spec'`.
   */
  dialect?: DialectName | DialectOptions;
  /** The address and the settings of event deliveries. Default: events reach only the listeners of `emulator.events`. */
  webhook?: EmulatorWebhookOptions;
  /** The duration of the validation of a new account; `'manual'` waits for `validateAccount`. Default `'3s'`. */
  accountValidation?: Duration | 'manual';
  /** The duration of each status of an executing transfer or funded onramp. Default 0: the next read shows the last one. */
  settlementStep?: Duration;
  /** The lifetime of a quote; `'N/A'` sets no expiry, as in the spec's example. Default `'15m'`. */
  quoteLifetime?: Duration | 'N/A';
  /** The time that an onramp waits for a one-time deposit. Default `'7d'`. */
  depositWindow?: Duration;
  /** Operations that your service has and the emulator lacks. See `emulator.route`. */
  routes?: readonly CustomRoute[];
  /**
   * False removes the lookups, which the spec does not show and most services have: `GET` of a transfer or a batch, an
   * onramp, an offramp and a bridge by its id, and of their lists. Default `true`.
   */
  lookups?: boolean;
  /** Called after every request. */
  onRequest?: (request: RequestRecord) => void;
}

/** The delays of the service, in milliseconds. */
export function paceOf(options: EmulatorOptions) {
  const {
    accountValidation = '3s',
    settlementStep = 0,
    quoteLifetime = '15m',
    depositWindow = '7d',
  } = options;
  return {
    accountValidation:
      accountValidation === 'manual' ? undefined : toMilliseconds(accountValidation, 'accountValidation'),
    settlementStep: toMilliseconds(settlementStep, 'settlementStep'),
    quoteLifetime: quoteLifetime === 'N/A' ? undefined : toMilliseconds(quoteLifetime, 'quoteLifetime'),
    depositWindow: toMilliseconds(depositWindow, 'depositWindow'),
  };
}

/** A check of bearer tokens, or `undefined` if the options list no token. */
export function allowance(
  token: string | readonly string[] | undefined,
): ((candidate: string) => boolean) | undefined {
  if (token === undefined) return undefined;
  const tokens = new Set(typeof token === 'string' ? [token] : token);
  return (candidate) => tokens.has(candidate);
}

const isToken = (value: unknown): boolean => typeof value === 'string' && /^[\x21-\x7e]+$/.test(value);

const token = /* @__PURE__ */ lazy(() =>
  z.custom<string | readonly string[]>(
    (value) => isToken(value) || (Array.isArray(value) && value.length > 0 && value.every(isToken)),
    // What it is instead may be a secret.
    { error: 'must be a text without spaces, or a list of them', params: { kind: 'rule' } },
  ),
);

const seed = /* @__PURE__ */ lazy(() =>
  z.custom<string | number>(
    (value) => (typeof value === 'string' && value.trim() !== '') || Number.isFinite(value),
    { error: 'must be a text or a number' },
  ),
);

/** Shorter secrets are refused by those who verify. */
export const WEBHOOK_SECRET = /^whsec_[A-Za-z0-9+/]{6,}={0,2}$/;

const webhookOptions = /* @__PURE__ */ lazy(() =>
  matching<EmulatorWebhookOptions>()(
    strictObject(
      {
        url: z.custom<string>(isHttpAddress, { error: 'must be an http or https address' }),
        secret: z.optional(textLike(WEBHOOK_SECRET, 'must be whsec_ and base64 of 4 bytes or more')),
        retryDelays: z.optional(z.array(durationOr(), { error: "must be a list, such as ['5s', '1m']" })),
        retryClientErrors: z.optional(flag()),
        timeout: z.optional(durationOr().check(check((timeout) => timeout !== 0, 'must be above 0'))),
        onAttempt: z.optional(functionOf<NonNullable<EmulatorWebhookOptions['onAttempt']>>()),
        fetch: z.optional(functionOf<NonNullable<EmulatorWebhookOptions['fetch']>>()),
      },
      "must be an object, such as { url: 'http://127.0.0.1:3000/webhooks' }",
    ),
  ),
);

const instant = () =>
  z
    .custom<Date | string | number>(() => true)
    .check(
      z.superRefine((start, context) => {
        const problem = problemOfInstant(start);
        if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
      }),
    );

const clockOptions = /* @__PURE__ */ lazy(() =>
  matching<EmulatorClockOptions>()(
    strictObject(
      { start: z.optional(instant()), frozen: z.optional(flag()) },
      'must be an object, such as { frozen: true }',
    ),
  ),
);

/** The options of `createEmulator`, for those who take more options beside them. */
export const emulatorOptionFields = /* @__PURE__ */ lazy(() => ({
  clock: z.optional(clockOptions()),
  seed: z.optional(seed()),
  token: z.optional(token()),
  dialect: z.optional(dialectOption()),
  webhook: z.optional(webhookOptions()),
  accountValidation: z.optional(durationOr('manual')),
  settlementStep: z.optional(durationOr()),
  quoteLifetime: z.optional(durationOr('N/A')),
  depositWindow: z.optional(durationOr()),
  routes: z.optional(z.array(customRoute(), { error: 'must be a list' })),
  lookups: z.optional(flag()),
  onRequest: z.optional(functionOf<NonNullable<EmulatorOptions['onRequest']>>()),
}));

const emulatorOptions = /* @__PURE__ */ lazy(() =>
  matching<EmulatorOptions>()(strictObject(emulatorOptionFields())),
);

function isHttpAddress(url: unknown): boolean {
  return typeof url === 'string' && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

/** Where a decision of the dialect belongs that stands among the options. */
export const decisionHints = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.keys(decisionFields()).map((name) => [plainName(name), `\`dialect: { ${name} }\``]),
  );

/** Returns own options of an emulator, and refuses those that do not exist or have a wrong value. */
export const checkedEmulatorOptions = (given: unknown): EmulatorOptions =>
  optionsOf('createEmulator', emulatorOptions(), given, decisionHints());
