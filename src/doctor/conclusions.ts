import { note, type Report } from './report.ts';

/** Milliseconds by which a clock may differ before tokens and webhooks suffer, and before a receiver refuses them. */
const skewLimit = 30_000;
const tolerance = 300_000;

/** The reads that must be seen before `strict` is advised. */
const reads = [
  'kyc.retrieve',
  'accounts.list',
  'accounts.retrieve',
  'externalWallets.list',
  'approvals.list',
  'reporting.retrieveResults',
];

/** Adds the conclusions: the clock, the headers, and the client options to set. */
export function conclude(report: Report): void {
  concludeClock(report);
  concludeHeaders(report);
  const { lists, options } = report;
  options.baseUrl = `'${report.baseUrl}'`;
  options.responseValidation = `'tolerant'${strictness(report)}`;
  const names = new Set(
    lists.flatMap(({ parameters }) => {
      const works = Object.keys(parameters).filter((name) => parameters[name] === 'works');
      return works.length === 1 ? works : [];
    }),
  );
  const [only] = names;
  options.cursorParam = names.size === 1 ? `'${only}'` : "'auto'";
}

function concludeClock(report: Report): void {
  const { clockSkew } = report;
  if (clockSkew === undefined) {
    note(report, 'clock', 'note', 'The service sends no `Date`, so the clocks were not compared.');
    return;
  }
  const distance = Math.abs(clockSkew);
  // The header has whole seconds.
  if (distance < 1500) {
    note(report, 'clock', 'ok', 'The clocks of the service and of this machine agree.');
    return;
  }
  const level = distance > tolerance ? 'failure' : distance > skewLimit ? 'warning' : 'ok';
  const direction = clockSkew > 0 ? 'ahead of' : 'behind';
  const meaning =
    level === 'ok' ? '' : ' Tokens and webhooks are refused where the clocks differ. Set the clock.';
  note(
    report,
    'clock',
    level,
    `The clock of the service is ${duration(distance)} ${direction} this one.${meaning}`,
  );
}

const units = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
] as const;

/** A duration in its largest unit: `2 days`, `90 s`. */
function duration(milliseconds: number): string {
  const unit = units.find(([size]) => milliseconds >= 1.5 * size);
  if (unit === undefined) return `${Math.round(milliseconds / 1000)} s`;
  return `${Math.round(milliseconds / unit[0])} ${unit[1]}s`;
}

function concludeHeaders(report: Report): void {
  const { rateLimitHeaders, traceHeaders } = report;
  if (rateLimitHeaders.length === 0)
    note(report, 'rate limits', 'note', 'No response had headers about rate limits.');
  else note(report, 'rate limits', 'note', `Headers about rate limits: ${rateLimitHeaders.join(', ')}.`);
  if (traceHeaders.length === 0)
    note(report, 'trace id', 'note', 'No response had a header with an id of the request.');
  else
    note(report, 'trace id', 'note', `The service sends its id of a request in: ${traceHeaders.join(', ')}.`);
}

/** The comment on `strict`: it is advised only when every read was seen with a record and without a difference. */
function strictness({ operations, lists }: Report): string {
  if (operations.some(({ drift }) => drift.length > 0)) return '';
  const isEmpty = (read: string) => lists.some(({ operation, items }) => operation === read && items === 0);
  const isSeen = (read: string) =>
    operations.some(({ operation, isUsable }) => operation === read && isUsable) && !isEmpty(read);
  const unseen = reads.filter((read) => !isSeen(read));
  return unseen.length === 0
    ? " // 'strict' passes, too"
    : ` // 'strict' was not tried on ${unseen.join(', ')}`;
}
