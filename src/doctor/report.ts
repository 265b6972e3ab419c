/** How much a finding matters: a `failure` breaks the client, a `warning` may. */
export type Level = 'ok' | 'note' | 'warning' | 'failure';

/** One thing that the doctor found. It holds names, types, counts and times, never a value of a record. */
export interface Finding {
  readonly check: string;
  readonly level: Level;
  readonly message: string;
  readonly details?: readonly string[];
}

/** Where a response departs from what the client expects. */
export interface Drift {
  readonly path: string;
  readonly code: string;
}

/** What was seen of one operation. */
export interface OperationReport {
  readonly operation: string;
  /** The HTTP status; undefined where none came. */
  readonly status?: number | undefined;
  readonly milliseconds: number;
  readonly drift: readonly Drift[];
}

/** What was seen of one list. */
export interface ListReport {
  readonly operation: string;
  /** The path of the list in the response; empty where the response is the list. */
  readonly key: string;
  readonly count: 'missing' | 'page' | 'other';
  readonly cursor: 'none' | 'time of the last record' | 'opaque';
  /** What the service does with each parameter that may take the cursor. */
  readonly parameters: Readonly<Record<string, 'works' | 'ignored' | 'refused' | 'failed'>>;
}

/** The whole report, as `--json` prints it. */
export interface Report {
  readonly version: string;
  readonly baseUrl: string;
  /** Whether nothing was found that breaks the client. */
  ok: boolean;
  readonly findings: Finding[];
  readonly operations: OperationReport[];
  readonly lists: ListReport[];
  /** By what the error was asked for: the status, and the fields of the body with their types. */
  readonly errorShapes: Record<string, string>;
  /** Milliseconds by which the clock of the service is ahead of this one; undefined where it sends no `Date`. */
  clockSkew?: number;
  readonly rateLimitHeaders: string[];
  webhookScheme?: string;
  /** Options of the client to set, as source text by name. */
  readonly options: Record<string, string>;
}

/** Adds a finding to a report. */
export function note(
  report: Report,
  check: string,
  level: Level,
  message: string,
  details: readonly string[] = [],
): void {
  if (level === 'failure') report.ok = false;
  report.findings.push({ check, level, message, ...(details.length > 0 && { details }) });
}
