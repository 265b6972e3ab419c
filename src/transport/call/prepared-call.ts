import type { PaymentsError } from '../../errors/index.ts';
import type { Credentials } from '../attempt/credentials.ts';
import type { Sleep } from '../attempt/timers.ts';
import type { WireRequest, WireResponse } from '../attempt/wire.ts';
import type { RetrySettings } from '../request/retries-check.ts';
import type { RetrySafety } from '../types.ts';

/** A call with everything resolved: each attempt sends the same bytes. */
export interface PreparedCall {
  readonly operation: string;
  readonly method: string;
  readonly template: string;
  readonly safety: RetrySafety;
  readonly origin: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: WireRequest['body'];
  /** Stands for a body that is not JSON where two calls are compared. */
  readonly likeness: string | undefined;
  readonly requestId: string | undefined;
  readonly credentials: Credentials;
  readonly timeout: number;
  readonly deadline: number | undefined;
  readonly retries: RetrySettings;
  readonly sleep: Sleep | undefined;
  readonly signal: AbortSignal | undefined;
  readonly maxResponseBytes: number;
}

/** A successful response, and what it took to get it. */
export interface ReceivedResponse {
  readonly answer: WireResponse;
  readonly url: string;
  readonly attempts: number;
  readonly requestId: string | undefined;
  readonly call: PreparedCall;
  /** Milliseconds left until the deadline; infinite where there is none. */
  readonly remaining: () => number;
  /** Tells the watchers that the response, though a success, could not be used. */
  readonly reportFailure: (error: PaymentsError) => void;
}
