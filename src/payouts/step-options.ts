import * as z from 'zod/mini';
import type { PaymentsClient, TransferList, TransferQuery } from '../client/index.ts';
import { functionOf } from '../shared/schema/option-values.ts';
import { flag, lazy, matching, strictObject } from '../shared/schema/schema.ts';
import { isRecord } from '../shared/values.ts';
import { checkedSettings } from './rules/checks.ts';
import type { CheckedOrder } from './rules/order.ts';
import type { TransferRecord } from './rules/record.ts';
import { type RuleOptions, ruleFields } from './rules/rules.ts';

/**
 * Reads a transfer from the service. Resolves with null only where the service says that there is none. Resolves with
 * undefined, or throws, where the service does not say.
 */
export type TransferLookup = (query: TransferQuery) => PromiseLike<TransferRecord | null | undefined>;

/** The part of a `PaymentsClient` that pays. */
export type PayoutClient = Pick<PaymentsClient, 'transfers'>;

/** The parts and limits of payouts. */
export interface PayoutOptions extends RuleOptions {
  /** The client. Its `retries` do not matter: each retry is a step. */
  readonly payments: PayoutClient;
  /** The service's list of transfers, made by `transfersFrom`. It turns doubts into evidence: it is the `lookup`, too. */
  readonly transfers?: TransferList<TransferRecord>;
  /** Looks a transfer up in another way, where the service has such an operation. */
  readonly lookup?: TransferLookup;
  /**
   * Asked before each attempt is stored, and again before it is sent: your own holds. `wait` asks again in a minute, by a job
   * for each payout: for thousands of payouts, use `hold`, which needs none. `cancel` ends the payout, or leaves it
   * `undecided` if an earlier attempt is in doubt.
   */
  readonly mayCall?: (order: CheckedOrder, requestId: string) => Promise<'pay' | 'wait' | 'cancel'>;
  /** Called with each failure that is no evidence, such as one of `lookup`. Default: `console.error` of its name. */
  readonly onError?: (error: unknown) => void;
  /**
   * True only if the engine gives each step to one process once, and calls `callLost` after a step that failed, such as a
   * Temporal activity with one attempt. Default false: then the step itself notices a call that nobody knows of.
   */
  readonly once?: boolean;
}

const isTransferList = (value: unknown): boolean =>
  isRecord(value) && typeof value.find === 'function' && typeof value.between === 'function';

const isClient = (value: unknown): boolean =>
  isRecord(value) && isRecord(value.transfers) && typeof value.transfers.create === 'function';

/** The fields of the schema of options that contain those of a step, but for `once`. */
export const stepFields = /* @__PURE__ */ lazy(() => ({
  ...ruleFields(),
  payments: z.custom<PayoutClient>(isClient, {
    error: 'must be a PaymentsClient',
    params: { kind: 'type' },
  }),
  transfers: z.optional(
    z.custom<TransferList<TransferRecord>>(isTransferList, {
      error: 'must be what `transfersFrom` returns',
      params: { kind: 'type' },
    }),
  ),
  lookup: z.optional(functionOf<TransferLookup>()),
  mayCall: z.optional(functionOf<NonNullable<PayoutOptions['mayCall']>>()),
  onError: z.optional(functionOf<NonNullable<PayoutOptions['onError']>>()),
}));

const stepOptionsSchema = /* @__PURE__ */ lazy(() =>
  matching<PayoutOptions>()(strictObject({ ...stepFields(), once: z.optional(flag()) })),
);

/** Checks the options of `payoutSteps`. */
export const checkedStepOptions = (options: PayoutOptions): PayoutOptions =>
  checkedSettings(stepOptionsSchema(), options, 'The options of `payoutSteps`');
