/** The weight of a finding: a `failure` breaks the client, a `warning` may break it. */
export type Level = 'ok' | 'note' | 'warning' | 'failure';

/** One finding: names, types and counts, never a value of a record that the doctor did not create. */
interface Finding {
  readonly check: string;
  readonly level: Level;
  readonly message: string;
  readonly details?: readonly string[];
}

/** The whole report, as `--json` prints it. */
export interface Report {
  readonly version: string;
  readonly baseUrl: string;
  /** True if no finding is a failure. */
  ok: boolean;
  /** True if Ctrl-C ended the checks. */
  interrupted: boolean;
  readonly findings: Finding[];
  /** The names under which writes were refused, and what the client takes them for. */
  readonly refusals: string[];
  /** The records that the writes left behind, with ids. */
  readonly open: string[];
  /** Options of the client to set, as source text by name. */
  readonly options: Record<string, string>;
  /** The emulator of this service, for tests; undefined if nothing could be checked. */
  emulator: EmulatorOfService | undefined;
}

/** How to make an emulator that behaves as the service does. */
export interface EmulatorOfService {
  /** Source text that makes it. */
  readonly code: string;
  /** The decisions that the doctor could not see, each with the reason. */
  readonly notSeen: readonly string[];
  /** What the emulator does otherwise than the service. */
  readonly differs: readonly string[];
}

/** Adds a finding of a level, and prints it at once. */
type Say = Readonly<Record<Level, (message: string, details?: readonly string[]) => void>>;

/** A report that is being written. */
export interface Reporter {
  readonly report: Report;
  /** The findings of one check. */
  readonly on: (check: string) => Say;
}

/** Begins a report; `print` gets its first lines, and each finding as it is made. */
export function startReport(version: string, baseUrl: string, print: (text: string) => void): Reporter {
  const report: Report = {
    version,
    baseUrl,
    ok: true,
    interrupted: false,
    findings: [],
    refusals: [],
    open: [],
    options: {},
    emulator: undefined,
  };
  print(`stablecoin-payments doctor ${version}\nBase address: ${baseUrl}\n\n`);
  const add = (check: string, level: Level, message: string, details: readonly string[] = []) => {
    if (level === 'failure') report.ok = false;
    report.findings.push({ check, level, message, ...(details.length > 0 && { details }) });
    const label = ['warning', 'failure'].includes(level) ? level.toUpperCase() : level.padEnd(7);
    print(`${[`${label}  ${check}: ${message}`, ...details].join('\n           ')}\n`);
  };
  const on = (check: string): Say => ({
    ok: (message, details) => add(check, 'ok', message, details),
    note: (message, details) => add(check, 'note', message, details),
    warning: (message, details) => add(check, 'warning', message, details),
    failure: (message, details) => add(check, 'failure', message, details),
  });
  return { report, on };
}

/** The last part of the report as text: what the findings come to. */
export function summaryOfReport(report: Report): string {
  const { findings, refusals, open, options, emulator, interrupted } = report;
  const count = (level: Level) => {
    const number = findings.filter((finding) => finding.level === level).length;
    return `${number} ${level}${number === 1 ? '' : 's'}`;
  };
  const part = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)];
  const isCut = interrupted ? ' Interrupted: the other checks were not made.' : '';
  const toSet = Object.entries(options).map(([name, value]) => `${name}: ${value}`);
  return [
    ...part('Refusals', refusals),
    ...part('Left behind', open),
    ...part('Options to set', toSet),
    ...part('Emulator of this service, for your tests', emulator === undefined ? [] : [emulator.code]),
    ...part('Not seen: the emulator has its own value', emulator?.notSeen ?? []),
    ...part('The emulator differs', emulator?.differs ?? []),
    '',
    `${count('failure')}, ${count('warning')}.${isCut}`,
    '',
  ].join('\n');
}

/** Returns the name of a field, or `*` if the name may be a value, such as an id. */
export function safeName(name: string): string {
  return /^[A-Za-z_][\w-]{0,63}$/.test(name) && !/\d{5}/.test(name) ? name : '*';
}

/**
 * Returns the name of an error, such as `AMOUNT_TOO_SMALL` or `invalid_token`, if it can be no value of a record: words,
 * and in capitals also short numbers.
 */
export function safeWord(word: unknown): string | undefined {
  return typeof word === 'string' && word.length <= 80 && names.some((name) => name.test(word))
    ? word
    : undefined;
}

const names: readonly RegExp[] = [
  /^[A-Z]+\d{0,3}(?:[_.-](?:[A-Z]+\d{0,3}|\d{1,3}))*$/,
  /^[A-Za-z]{2,}(?:[_.][A-Za-z]+)*$/,
];
