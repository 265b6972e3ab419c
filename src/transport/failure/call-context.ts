import type { Outcome } from '../../errors/index.ts';
import type { PreparedCall } from '../call/prepared-call.ts';

/** What is known of a call when one of its attempts fails. */
export interface CallContext {
  readonly call: PreparedCall;
  readonly attempts: number;
  /** Whether the current attempt got as far as the network. */
  readonly sent: boolean;
  /** What the last attempt came to, while the next one is waited for. */
  readonly waitingAfter?: Outcome;
  /** Whether an earlier attempt may have been carried out. */
  readonly ambiguousBefore: boolean;
  /** The tokens that were sent. */
  readonly secrets: readonly string[];
}

/** The details that every error of a call contains. */
export const baseOf = ({ call, attempts }: CallContext) => ({
  operation: call.operation,
  requestId: call.requestId,
  attempts,
});

/** An attempt that may have been carried out stays so, whatever a later attempt says. Reads move nothing. */
export function outcomeOf(own: Outcome, { ambiguousBefore, call }: CallContext): Outcome {
  return ambiguousBefore && call.safety !== 'read' ? 'unknown' : own;
}
