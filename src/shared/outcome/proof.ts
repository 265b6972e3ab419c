import type { ResponseIssue } from '../errors/response.ts';
import type { Outcome } from './outcome.ts';

/** What one response proves. */
export interface Proof {
  readonly outcome: Exclude<Outcome, 'not-sent'>;
  /**
   * The row of the table "What a response proves" (docs/guides/outcomes.md) that holds. Nothing is decided by it. Row 1 is
   * about what was never sent, and has no response. Undefined for a read.
   */
  readonly row?: 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11;
  /** Rows 3 and 4: true if the function `refusals`, or a name for a known key, says what the response means. */
  readonly isDecided?: boolean;
  /** True if the service has a request with this key: the call is not repeated. */
  readonly isKnownKey?: boolean;
  /** True if the service, or the function `refusals`, refused the request for good: the call is not repeated. */
  readonly isRefusedForGood?: boolean;
  /** How the reader of the message settles what stays `unknown`. */
  readonly remedy?:
    | 'names' // The body has a name, which belongs into one of both lists.
    | 'known' // A word may be about the key: the list of known keys alone can settle the name.
    | 'function' // No list can settle it.
    | 'schema' // A number is all that makes it an error: a schema of the caller's that passes outweighs it.
    | undefined;
  /** Row 9: the path of the field that shows another payment or record. */
  readonly mismatch?: string;
  /** Rows 8 and 11, and reads: what the response lacks. */
  readonly issue?: ResponseIssue;
}
