import type { PaymentsError } from '../../errors/index.ts';
import type { RunningCall } from '../../evidence/key-memory.ts';
import type { RefusalNames } from '../../evidence/refusal.ts';
import type { Credentials } from '../attempt/credentials.ts';
import type { Sleep } from '../attempt/timers.ts';
import type { WireRequest, WireResponse } from '../attempt/wire.ts';
import type { RetrySettings } from '../request/retries-check.ts';
import type { JudgedResponse, ResponseJudge } from '../response/response-judge.ts';
import type { RetrySafety } from '../types.ts';

/** A call with everything resolved: each attempt sends the same bytes. */
export interface PreparedCall<T = unknown> {
  readonly operation: string;
  readonly method: string;
  readonly template: string;
  readonly safety: RetrySafety;
  readonly origin: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: WireRequest['body'];
  readonly requestId: string | undefined;
  /** The call in the memory of its key; undefined without a key. */
  readonly key: RunningCall | undefined;
  /** Whether the call moves money, as far as this package can tell. */
  readonly isPayment: boolean;
  readonly refusals: RefusalNames;
  readonly credentials: Credentials;
  readonly timeout: number;
  readonly deadline: number | undefined;
  readonly retries: RetrySettings;
  readonly sleep: Sleep | undefined;
  readonly signal: AbortSignal | undefined;
  readonly maxResponseBytes: number;
  /** Judges responses of a successful status. */
  readonly judge: ResponseJudge<T>;
}

/** One attempt's response that did what was asked. */
export interface Success<T> {
  readonly answer: WireResponse;
  readonly judged: JudgedResponse<T>;
}

/** A successful response, and what it took to get it. */
export interface ReceivedResponse<T> extends Success<T> {
  readonly url: string;
  readonly attempts: number;
  /** The error for a response that departs from its schema; tells the watchers of it. */
  readonly departure: () => PaymentsError;
}
