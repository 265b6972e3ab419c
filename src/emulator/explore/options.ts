import type { PaymentsClient } from 'stablecoin-payments';
import * as z from 'zod/mini';
import { functionOf, oneFrom } from '../../shared/schema/option-values.ts';
import { lazy, matching, strictObject, wholeNumber } from '../../shared/schema/schema.ts';
import { optionsOf } from '../reading/options.ts';
import type { EmulatorEvent } from '../service/records/metrics-and-events.ts';
import type { EmulatorPayment } from '../testing/payments.ts';
import { scheduleIn } from './schedule.ts';

/** What a program under `explore` uses. Each start of a process gets another one. */
export interface World {
  /** A new client, as after a restart: `retries: 0`, `timeout: 100` where a response never arrives. */
  payments: PaymentsClient;
  /** Sends a request to the service: for code that creates its own client, with `timeout: 100` and any `baseUrl`. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** Your rows, in place of your database. A row is what `structuredClone` can copy. */
  store: {
    /** Returns a copy of a row; `undefined` if there is none. */
    get<Row = unknown>(key: string): Promise<Row | undefined>;
    /** Stores a copy of a row. `undefined` deletes it. */
    set(key: string, row: unknown): Promise<void>;
    /** Changes one row in a transaction: `change` gets the row and returns the new one, which is also the result. */
    update<Row = unknown>(key: string, change: (row: Row | undefined) => Row): Promise<Row>;
  };
  /** The id of a user who pays. */
  payer: string;
  /** The id of a user who is paid. */
  payee: string;
  /** The time in milliseconds since 1970. Each start is an hour after the one before. */
  now(): number;
}

/** Options of `explore`. */
export interface ExploreOptions {
  /**
   * Pays, as your program does, and is called again while it returns `ask-again`, throws or dies. `accepted`: the service
   * has all payments, each once. `not-made`: it has none, and none will follow.
   */
  pay: (world: World) => Promise<'accepted' | 'not-made' | 'ask-again'>;
  /** Handles an event, as your webhook handler does. The event comes again if it throws or dies. */
  hear?: ((event: EmulatorEvent, world: World) => Promise<void>) | undefined;
  /**
   * Returns what is wrong at the end of a run in which `pay` returned `accepted` and every event was handled, or undefined.
   * `payments` is what the service has. A throw counts as what is wrong, too.
   */
  check?:
    | ((end: {
        /** The rows at the end. */
        store: World['store'];
        /** Every payment that the service made, oldest first. */
        payments: readonly EmulatorPayment[];
      }) => string | undefined | Promise<string | undefined>)
    | undefined;
  /** The maximum number of failures in one run, 0 to 4. Default 2. */
  depth?: number | undefined;
  /** 2 lets another process run `pay` from start to end once, at any point; that counts as a failure. Default 1. */
  processes?: 1 | 2 | undefined;
  /** Runs this schedule alone: a line of an earlier result, such as `replay 2:crash`. */
  schedule?: string | undefined;
}

const schedule = /* @__PURE__ */ lazy(() =>
  z.string({ error: "must be a line such as 'replay 2:crash'" }).check(
    z.superRefine((line, context) => {
      try {
        scheduleIn(line);
      } catch (error) {
        const message = error instanceof RangeError ? error.message : String(error);
        context.addIssue({ code: 'custom', message, params: { kind: 'rule' } });
      }
    }),
  ),
);

const exploreOptions = /* @__PURE__ */ lazy(() =>
  matching<ExploreOptions>()(
    strictObject({
      pay: functionOf<ExploreOptions['pay']>(),
      hear: z.optional(functionOf<NonNullable<ExploreOptions['hear']>>()),
      check: z.optional(functionOf<NonNullable<ExploreOptions['check']>>()),
      depth: z.optional(wholeNumber(0, 4)),
      processes: z.optional(oneFrom([1, 2])),
      schedule: z.optional(schedule()),
    }),
  ),
);

export const checkedExploreOptions = (given: unknown): ExploreOptions =>
  optionsOf('explore', exploreOptions(), given);
