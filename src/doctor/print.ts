import type { Level, Report } from './report.ts';

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
