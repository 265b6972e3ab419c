import type { Refusals } from '../evidence/error-response.ts';
import type { Credentials } from './credentials.ts';
import type { DriftEvent, Watchers } from './hooks.ts';
import type { ResponseValidation } from './judge.ts';
import type { Sleep } from './limits.ts';
import type { RetrySettings } from './request-options.ts';

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
  readonly maxConcurrency: number | undefined;
  readonly maxResponseBytes: number;
  readonly refusals: Refusals;
  readonly headers: Readonly<Record<string, string>>;
  readonly watchers: Watchers;
  readonly driftWatchers: readonly ((event: DriftEvent) => void)[];
}
