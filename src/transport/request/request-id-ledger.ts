import { type EarlierCall, InvalidRequestError, type Outcome } from '../../errors/index.ts';
import { plainId } from '../response/identity.ts';
import { canonicalJson } from './canonical-json.ts';
import { digestOf } from './idempotency.ts';

/** How many idempotency ids a client remembers; older ones are forgotten first. */
const remembered = 10_000;

interface KnownId {
  readonly digest: number;
  readonly operation: string;
  calls: number;
  pending: number;
  /** The strongest outcome of the calls that have ended. */
  outcome: Outcome | undefined;
}

/** A call that the ledger has noted. */
export interface NotedCall {
  /** Tells what became of it. Nothing reached the service: the id may still be given to a corrected payload. */
  settle(outcome: Outcome): void;
}

const strength: Readonly<Record<Outcome, number>> = { 'not-sent': 0, rejected: 1, unknown: 2, succeeded: 3 };

/**
 * Notices when one idempotency id is used for two different payloads within a client: the service would
 * return the first transfer, or refuse, and the second payment would be lost. Keeps digests, no bodies.
 */
export class RequestIdLedger {
  readonly #known = new Map<string, KnownId>();

  /** The strongest outcome of the calls with an id; a call that is still under way may come to anything. */
  outcomeOf(requestId: string): Outcome | undefined {
    const known = this.#known.get(plainId(requestId));
    const isOpen = known !== undefined && known.pending > 0 && known.outcome !== 'succeeded';
    return isOpen ? 'unknown' : known?.outcome;
  }

  /** Notes a call. Throws where the id stands for another payload. */
  note(requestId: string, operation: string, payload: string): NotedCall {
    const id = plainId(requestId);
    const digest = digestOf(`${operation} ${canonicalJson(payload)}`);
    const known = this.#known.get(id) ?? { digest, operation, calls: 0, pending: 0, outcome: undefined };
    if (known.digest !== digest) throw reused(known, operation, requestId);
    known.calls += 1;
    known.pending += 1;
    this.#known.delete(id);
    this.#known.set(id, known);
    if (this.#known.size > remembered) {
      for (const oldest of this.#known.keys()) {
        this.#known.delete(oldest);
        break;
      }
    }
    return {
      settle: (outcome) => {
        known.pending -= 1;
        if (known.outcome === undefined || strength[outcome] > strength[known.outcome])
          known.outcome = outcome;
        if (outcome !== 'not-sent') return;
        known.calls -= 1;
        if (known.calls === 0 && this.#known.get(id) === known) this.#known.delete(id);
      },
    };
  }
}

const told: Readonly<Record<Exclude<EarlierCall['outcome'], 'not-sent'>, string>> = {
  pending: 'is still under way and may make its payment',
  rejected: 'was refused',
  unknown: 'may have made its payment',
  succeeded: 'made its payment',
};

function reused(known: KnownId, operation: string, requestId: string): InvalidRequestError {
  const outcome = known.outcome === undefined || known.outcome === 'not-sent' ? 'pending' : known.outcome;
  const earlier: EarlierCall = { operation: known.operation, outcome };
  return new InvalidRequestError(
    `${operation}: an earlier ${earlier.operation} call used this \`requestId\` with another payload, and it ${told[outcome]}. This payload was not sent. Give a new payment a \`requestId\` of its own; to retry the earlier one, send the same payload.`,
    { code: 'request_id_reused', operation, requestId, field: 'requestId', earlier },
  );
}
