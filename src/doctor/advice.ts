import { note, type Report } from './report.ts';

/** By how many milliseconds a clock may differ before tokens and webhooks suffer. */
const skewLimit = 30_000;

/** Draws the conclusions: the clock, the rate limits, and the client options to set. */
export function conclude(report: Report): void {
  const { clockSkew, rateLimitHeaders, lists, options } = report;
  if (clockSkew === undefined)
    note(report, 'clock', 'note', 'The service sends no `Date`, so the clocks were not compared.');
  else {
    const seconds = (clockSkew / 1000).toFixed(1);
    const isLarge = Math.abs(clockSkew) > skewLimit;
    note(
      report,
      'clock',
      isLarge ? 'warning' : 'ok',
      `The clock of the service is ${seconds} s ahead of this one.`,
    );
  }
  if (rateLimitHeaders.length === 0)
    note(report, 'rate limits', 'note', 'No response had headers about rate limits.');
  else note(report, 'rate limits', 'note', `Headers about rate limits: ${rateLimitHeaders.join(', ')}.`);

  const drifted = report.operations.some(({ drift }) => drift.length > 0);
  options.baseUrl = `'${report.baseUrl}'`;
  options.responseValidation = drifted ? "'tolerant'" : "'tolerant' // 'strict' would pass, too";
  const names = new Set(
    lists.flatMap(({ parameters }) => {
      const works = Object.keys(parameters).filter((name) => parameters[name] === 'works');
      return works.length === 1 ? works : [];
    }),
  );
  const [only] = names;
  options.cursorParam = names.size === 1 ? `'${only}'` : "'auto'";
}
