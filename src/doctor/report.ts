import { isRecord } from '../shared/values.ts';

/** The weight of a finding: a `failure` breaks the client, a `warning` may break it. */
export type Level = 'ok' | 'note' | 'warning' | 'failure';

/** One finding: names, types, counts and times, never a value of a record that the doctor did not create. */
interface Finding {
  readonly check: string;
  readonly level: Level;
  readonly message: string;
  readonly details?: readonly string[];
}

/** A difference between a response and the client's schema. */
export interface Drift {
  readonly path: string;
  readonly code: string;
}

/** One call. */
interface OperationReport {
  readonly operation: string;
  /** The HTTP status; undefined if no response came. */
  readonly status?: number | undefined;
  readonly milliseconds: number;
  /** True if the call returned a value. */
  readonly isUsable: boolean;
  readonly drift: readonly Drift[];
}

export interface ListReport {
  readonly operation: string;
  /** Records on the first page. */
  readonly items: number;
  /** The path of the list in the response; empty if the response is the list. */
  readonly key: string;
  readonly count: 'missing' | 'page' | 'other';
  readonly cursor: 'none' | 'time of the last record' | 'opaque';
  /** The effect of each parameter that may take the cursor. */
  readonly parameters: Readonly<Record<string, 'works' | 'ignored' | 'refused' | 'failed'>>;
  /** The effect of `limit`; undefined if the list has too few records to tell. */
  limit?: 'works' | 'ignored' | 'refused';
}

/** The whole report, as `--json` prints it. */
export interface Report {
  readonly version: string;
  readonly baseUrl: string;
  /** True if no finding is a failure. */
  ok: boolean;
  readonly findings: Finding[];
  readonly operations: OperationReport[];
  readonly lists: ListReport[];
  /** The status and the fields of the body with their types, by the cause of the error. */
  readonly errorShapes: Record<string, string>;
  /** Milliseconds by which the clock of the service is ahead of this one; undefined if the service sends no `Date`. */
  clockSkew?: number;
  readonly rateLimitHeaders: string[];
  /** The headers that carry the service's own id of a request. */
  readonly traceHeaders: string[];
  webhookScheme?: string;
  /** The records that the writes left behind, with ids. */
  readonly open: string[];
  /** Options of the client to set, as source text by name. */
  readonly options: Record<string, string>;
}

export const emptyReport = (version: string, baseUrl: string): Report => ({
  version,
  baseUrl,
  ok: true,
  findings: [],
  operations: [],
  lists: [],
  errorShapes: {},
  rateLimitHeaders: [],
  traceHeaders: [],
  open: [],
  options: {},
});

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

/** Describes the fields of a body by their types, three levels deep, without values: `{ code: number, error: string }`. */
export function shapeOf(value: unknown, depth = 0): string {
  if (value === undefined) return 'empty';
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `[${shapeOf(value[0], depth + 1)}]`;
  if (!isRecord(value)) return typeof value;
  const fields = Object.entries(value).map(
    ([name, inner]) => `${safeName(name)}: ${shapeOf(inner, depth + 1)}`,
  );
  if (fields.length === 0) return '{}';
  return depth >= 3 ? '{ … }' : `{ ${[...new Set(fields)].join(', ')} }`;
}

/** Returns the name of a field, or `*` if the name may be a value, such as an id. */
export function safeName(name: string): string {
  return /^[A-Za-z_][\w-]{0,63}$/.test(name) && !/\d{5}/.test(name) ? name : '*';
}

/** Returns the name of an error or an event if it is in capitals, so that it cannot be a value of a record. */
export function safeWord(word: unknown): string | undefined {
  return typeof word === 'string' && /^[A-Z][A-Z_.-]{1,79}$/.test(word) ? word : undefined;
}

const labels: Record<Level, string> = {
  ok: 'ok     ',
  note: 'note   ',
  warning: 'WARNING',
  failure: 'FAILURE',
};

/** The report as text for people. */
export function printReport(report: Report): string {
  const { version, baseUrl, findings, operations, errorShapes, open, options } = report;
  const count = (level: Level) => findings.filter((finding) => finding.level === level).length;
  const lines = [
    `stablecoin-payments doctor ${version}`,
    `Base address: ${baseUrl}`,
    '',
    ...findings.flatMap(({ check, level, message, details = [] }) => [
      `${labels[level]}  ${check}: ${message}`,
      ...details.map((detail) => `           ${detail}`),
    ]),
    '',
    'Calls',
    ...operations.map(
      ({ operation, status, milliseconds }) =>
        `  ${operation}: ${status ?? 'no response'}, ${milliseconds} ms`,
    ),
  ];
  if (Object.keys(errorShapes).length > 0) {
    lines.push('', 'Errors', ...Object.entries(errorShapes).map(([what, shape]) => `  ${what}: ${shape}`));
  }
  if (open.length > 0) lines.push('', 'Left behind', ...open.map((what) => `  ${what}`));
  if (Object.keys(options).length > 0) {
    lines.push(
      '',
      'Options to set',
      ...Object.entries(options).map(([name, value]) => `  ${name}: ${value}`),
    );
  }
  const [failures, warnings] = [count('failure'), count('warning')];
  lines.push(
    '',
    `${failures} ${failures === 1 ? 'failure' : 'failures'}, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}.`,
    '',
  );
  return lines.join('\n');
}
