import type { RefusalNames } from '../evidence/refusal.ts';
import type { Credentials } from './attempt/credentials.ts';
import type { Sleep } from './attempt/timers.ts';
import type { DriftEvent, Watchers } from './hooks/events.ts';
import type { RetrySettings } from './request/retries-check.ts';
import type { ResponseValidation } from './response/parse-response.ts';

/** A client's options, checked, with defaults and environment variables filled in. */
export interface ResolvedConfig {
  readonly baseUrl: string;
  readonly origin: string;
  readonly credentials: Credentials;
  readonly timeout: number;
  readonly deadline: number | undefined;
  readonly retries: RetrySettings;
  readonly sleep: Sleep | undefined;
  readonly responseValidation: ResponseValidation;
  readonly cursorParam: string;
  readonly maxResponseBytes: number;
  readonly refusals: RefusalNames;
  readonly headers: Readonly<Record<string, string>>;
  readonly watchers: Watchers;
  readonly driftWatchers: readonly ((event: DriftEvent) => void)[];
}
