const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const month = `(?<month>${months.join('|')})`;
const time = String.raw`(?<hour>[01]\d|2[0-3]):(?<minute>[0-5]\d):(?<second>[0-5]\d|60)`;
const shortDay = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const longDay = '(?:Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)';

/** The three forms of an HTTP date (RFC 9110, 5.6.7). All are in GMT. */
const dateForms = [
  String.raw`${shortDay}, (?<day>\d\d) ${month} (?<year>\d{4}) ${time} GMT`,
  String.raw`${longDay}, (?<day>\d\d)-${month}-(?<year>\d\d) ${time} GMT`,
  String.raw`${shortDay} ${month} (?<day>[ \d]\d) ${time} (?<year>\d{4})`,
].map((form) => new RegExp(`^${form}$`));

/** The longest header that is read, in characters. */
const longest = 1_000;

/** The headers of a response. */
interface Headers {
  get(name: string): string | null;
}

/**
 * Milliseconds that a Retry-After header asks for: whole seconds or an HTTP date, and nothing else. A date is read against
 * the `Date` of the same response, as the clocks may differ. Of a header that was sent twice the larger one counts.
 *
 * @param now - The time of this machine, in milliseconds since 1970.
 */
export function retryAfterIn(headers: Headers, now: number): number | undefined {
  const text = headers.get('retry-after')?.trim() ?? '';
  if (text === '' || text.length > longest) return undefined;
  const sentAt = httpDate(headers.get('date') ?? '', now) ?? now;
  const waits = valuesIn(text).map((value) => {
    if (/^\d+$/.test(value)) return Math.min(Number(value), Number.MAX_SAFE_INTEGER) * 1_000;
    const date = httpDate(value, now);
    return date === undefined ? Number.NaN : Math.max(0, date - sentAt);
  });
  // One that says something else leaves none that can be trusted, such as the year in `May 1, 2099`.
  const isReadable = waits.length > 0 && !waits.some(Number.isNaN);
  return isReadable ? Math.max(...waits) : undefined;
}

/** The values of a header that was sent more than once. Two of the forms of a date have a comma after the day. */
const valuesIn = (text: string): string[] =>
  text
    .split(/(?<!Mon|Tue|Wed|Thu|Fri|Sat|Sun|day),/)
    .map((value) => value.trim())
    .filter((value) => value !== '');

/** The instant of an HTTP date, in milliseconds since 1970. */
function httpDate(text: string, now: number): number | undefined {
  if (text.length > longest) return undefined;
  const parts = dateForms.map((form) => form.exec(text)?.groups).find((groups) => groups !== undefined);
  if (parts === undefined) return undefined;
  const { year = '', month = '', day, hour, minute, second } = parts;
  const at = (fullYear: number) =>
    Date.UTC(fullYear, months.indexOf(month), Number(day), Number(hour), Number(minute), Number(second));
  if (year.length === 4) return at(Number(year));
  // A year of two digits that seems to be more than 50 years ahead is past.
  const thisYear = new Date(now).getUTCFullYear();
  const ofThisCentury = thisYear - (thisYear % 100) + Number(year);
  return at(ofThisCentury > thisYear + 50 ? ofThisCentury - 100 : ofThisCentury);
}
