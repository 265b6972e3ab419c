import type { PaymentsError } from '../../errors/index.ts';
import type { Finding } from '../../evidence/evidence.ts';
import type { RetrySafety } from '../types.ts';

/** What is kept of a call that failed, so that it can be settled later. */
export interface FailedCall {
  readonly safety: RetrySafety;
  /** What was sent, to compare a record with. */
  readonly sent: {
    readonly url: string;
    readonly body: unknown;
  };
  /** What this process has seen of the idempotency key; undefined if nothing, or if the call had no key. */
  readonly recall: () => Finding | undefined;
  /** Sends the same bytes once more, in one attempt. Gives the record; rejects with a PaymentsError. */
  readonly again: (limits: { deadline: number; signal: AbortSignal | undefined }) => Promise<unknown>;
}

/** Beside the errors and not on them: a body must appear in no printed form. It goes when the error goes. */
const failedCalls = new WeakMap<PaymentsError, FailedCall>();

/** Keeps the call of an error. */
export function rememberFailedCall(error: PaymentsError, call: FailedCall): void {
  failedCalls.set(error, call);
}

/** The call of an error, where this copy of the package made it in this process. */
export const failedCallOf = (error: PaymentsError): FailedCall | undefined => failedCalls.get(error);
