import type { OperationUnderTest } from './operations.ts';

/** The three ways in which a trouble is met. */
export const columns = [
  { title: 'retries 0, once', retries: 0, everyTime: false },
  { title: 'retries 2, once', retries: 2, everyTime: false },
  { title: 'retries 2, every time', retries: 2, everyTime: true },
] as const;
export type Column = (typeof columns)[number];

/** What a cell of the table says. */
export interface Expectation {
  /** How many requests are sent. */
  attempts: number;
  /** `success`, or the name of the error's class. */
  ending: string;
  /** The error's `outcome`; `succeeded` for a success. */
  outcome: string;
  /** How often the emulator's ledger shows it as done. */
  done: number;
}

/**
 * Written by hand from the retry rules of the design and the statuses of the service interface, and not from
 * the client's code. A cell reads: attempts, ending, outcome (of an error), times done in the ledger. A row holds for
 * the classes that it names.
 *
 * Of the design, for rows that could be read otherwise:
 * - delete after a lost response: "A deletion whose answer was lost and whose repeat says 404 is `unknown`".
 * - 501: row 7, "every other status that is not 2xx"; of a read "every 4xx and 501 is `rejected`".
 * - 503 with Retry-After: "Retry-After says when to try again, never what was proved".
 * - a cut body under a 4xx: "Never repeated: […] any 4xx but 425 and 429".
 */
const table = `
trouble                          | for                       | retries 0, once                       | retries 2, once                       | retries 2, every time
latency                          | read                      | 1 success 0                           | 1 success 0                           | 1 success 0
latency                          | delete keyed refresh once | 1 success 1                           | 1 success 1                           | 1 success 1
nothing listens                  | every                     | 1 ConnectionError not-sent 0          | 3 ConnectionError not-sent 0          | 3 ConnectionError not-sent 0
reset-before-commit              | read                      | 1 ConnectionError unknown 0           | 2 success 0                           | 3 ConnectionError unknown 0
reset-before-commit              | delete keyed refresh      | 1 ConnectionError unknown 0           | 2 success 1                           | 3 ConnectionError unknown 0
reset-before-commit              | once                      | 1 ConnectionError unknown 0           | 1 ConnectionError unknown 0           | 1 ConnectionError unknown 0
reset-after-commit               | read                      | 1 ConnectionError unknown 0           | 2 success 0                           | 3 ConnectionError unknown 0
reset-after-commit               | delete                    | 1 ConnectionError unknown 1           | 2 NotFoundError unknown 1             | 3 ConnectionError unknown 1
reset-after-commit               | keyed refresh             | 1 ConnectionError unknown 1           | 2 success 1                           | 3 ConnectionError unknown 1
reset-after-commit               | once                      | 1 ConnectionError unknown 1           | 1 ConnectionError unknown 1           | 1 ConnectionError unknown 1
cut-body                         | read                      | 1 ConnectionError unknown 0           | 2 success 0                           | 3 ConnectionError unknown 0
cut-body                         | delete                    | 1 ConnectionError unknown 1           | 2 NotFoundError unknown 1             | 2 NotFoundError unknown 1
cut-body                         | keyed refresh             | 1 ConnectionError unknown 1           | 2 success 1                           | 3 ConnectionError unknown 1
cut-body                         | once                      | 1 ConnectionError unknown 1           | 1 ConnectionError unknown 1           | 1 ConnectionError unknown 1
stall-headers                    | read                      | 1 TimeoutError unknown 0              | 2 success 0                           | 3 TimeoutError unknown 0
stall-headers                    | delete                    | 1 TimeoutError unknown 1              | 2 NotFoundError unknown 1             | 3 TimeoutError unknown 1
stall-headers                    | keyed refresh             | 1 TimeoutError unknown 1              | 2 success 1                           | 3 TimeoutError unknown 1
stall-headers                    | once                      | 1 TimeoutError unknown 1              | 1 TimeoutError unknown 1              | 1 TimeoutError unknown 1
stall-body                       | read                      | 1 TimeoutError unknown 0              | 2 success 0                           | 3 TimeoutError unknown 0
stall-body                       | delete                    | 1 TimeoutError unknown 1              | 2 NotFoundError unknown 1             | 3 TimeoutError unknown 1
stall-body                       | keyed refresh             | 1 TimeoutError unknown 1              | 2 success 1                           | 3 TimeoutError unknown 1
stall-body                       | once                      | 1 TimeoutError unknown 1              | 1 TimeoutError unknown 1              | 1 TimeoutError unknown 1
stall-headers, deadline          | read                      | 1 TimeoutError unknown 0              | 1 TimeoutError unknown 0              | 1 TimeoutError unknown 0
stall-headers, deadline          | delete keyed refresh once | 1 TimeoutError unknown 1              | 1 TimeoutError unknown 1              | 1 TimeoutError unknown 1
stall-body, abort                | read                      | 1 AbortedError unknown 0              | 1 AbortedError unknown 0              | 1 AbortedError unknown 0
stall-body, abort                | delete keyed refresh once | 1 AbortedError unknown 1              | 1 AbortedError unknown 1              | 1 AbortedError unknown 1
status 302                       | every                     | 1 APIError unknown 0                  | 1 APIError unknown 0                  | 1 APIError unknown 0
status 303                       | every                     | 1 APIError unknown 0                  | 1 APIError unknown 0                  | 1 APIError unknown 0
status 308                       | every                     | 1 APIError unknown 0                  | 1 APIError unknown 0                  | 1 APIError unknown 0
status 400                       | every                     | 1 BadRequestError rejected 0          | 1 BadRequestError rejected 0          | 1 BadRequestError rejected 0
status 401                       | every                     | 1 AuthenticationError rejected 0      | 1 AuthenticationError rejected 0      | 1 AuthenticationError rejected 0
status 401, token function       | read                      | 2 success 0                           | 2 success 0                           | 2 AuthenticationError rejected 0
status 401, token function       | delete keyed refresh once | 2 success 1                           | 2 success 1                           | 2 AuthenticationError rejected 0
status 403                       | every                     | 1 PermissionDeniedError rejected 0    | 1 PermissionDeniedError rejected 0    | 1 PermissionDeniedError rejected 0
status 404                       | every                     | 1 NotFoundError rejected 0            | 1 NotFoundError rejected 0            | 1 NotFoundError rejected 0
status 408                       | read                      | 1 APIError rejected 0                 | 1 APIError rejected 0                 | 1 APIError rejected 0
status 408                       | delete keyed refresh once | 1 APIError unknown 0                  | 1 APIError unknown 0                  | 1 APIError unknown 0
status 409                       | read                      | 1 ConflictError rejected 0            | 1 ConflictError rejected 0            | 1 ConflictError rejected 0
status 409                       | delete keyed refresh once | 1 ConflictError unknown 0             | 1 ConflictError unknown 0             | 1 ConflictError unknown 0
status 422                       | every                     | 1 UnprocessableEntityError rejected 0 | 1 UnprocessableEntityError rejected 0 | 1 UnprocessableEntityError rejected 0
status 429                       | read                      | 1 RateLimitError rejected 0           | 2 success 0                           | 3 RateLimitError rejected 0
status 429                       | delete keyed refresh once | 1 RateLimitError rejected 0           | 2 success 1                           | 3 RateLimitError rejected 0
status 429, Retry-After 1        | read                      | 1 RateLimitError rejected 0           | 2 success 0                           | 3 RateLimitError rejected 0
status 429, Retry-After 1        | delete keyed refresh once | 1 RateLimitError rejected 0           | 2 success 1                           | 3 RateLimitError rejected 0
status 429, Retry-After 61       | every                     | 1 RateLimitError rejected 0           | 1 RateLimitError rejected 0           | 1 RateLimitError rejected 0
status 500                       | read                      | 1 InternalServerError unknown 0       | 2 success 0                           | 3 InternalServerError unknown 0
status 500                       | delete keyed refresh      | 1 InternalServerError unknown 0       | 2 success 1                           | 3 InternalServerError unknown 0
status 500                       | once                      | 1 InternalServerError unknown 0       | 1 InternalServerError unknown 0       | 1 InternalServerError unknown 0
status 500 after commit          | read                      | 1 InternalServerError unknown 0       | 2 success 0                           | 3 InternalServerError unknown 0
status 500 after commit          | delete                    | 1 InternalServerError unknown 1       | 2 NotFoundError unknown 1             | 3 InternalServerError unknown 1
status 500 after commit          | keyed refresh             | 1 InternalServerError unknown 1       | 2 success 1                           | 3 InternalServerError unknown 1
status 500 after commit          | once                      | 1 InternalServerError unknown 1       | 1 InternalServerError unknown 1       | 1 InternalServerError unknown 1
status 501                       | read                      | 1 InternalServerError rejected 0      | 1 InternalServerError rejected 0      | 1 InternalServerError rejected 0
status 501                       | delete keyed refresh once | 1 InternalServerError unknown 0       | 1 InternalServerError unknown 0       | 1 InternalServerError unknown 0
status 502                       | read                      | 1 InternalServerError unknown 0       | 2 success 0                           | 3 InternalServerError unknown 0
status 502                       | delete keyed refresh      | 1 InternalServerError unknown 0       | 2 success 1                           | 3 InternalServerError unknown 0
status 502                       | once                      | 1 InternalServerError unknown 0       | 1 InternalServerError unknown 0       | 1 InternalServerError unknown 0
status 502 after commit          | read                      | 1 InternalServerError unknown 0       | 2 success 0                           | 3 InternalServerError unknown 0
status 502 after commit          | delete                    | 1 InternalServerError unknown 1       | 2 NotFoundError unknown 1             | 3 InternalServerError unknown 1
status 502 after commit          | keyed refresh             | 1 InternalServerError unknown 1       | 2 success 1                           | 3 InternalServerError unknown 1
status 502 after commit          | once                      | 1 InternalServerError unknown 1       | 1 InternalServerError unknown 1       | 1 InternalServerError unknown 1
status 503                       | read                      | 1 InternalServerError unknown 0       | 2 success 0                           | 3 InternalServerError unknown 0
status 503                       | delete keyed refresh      | 1 InternalServerError unknown 0       | 2 success 1                           | 3 InternalServerError unknown 0
status 503                       | once                      | 1 InternalServerError unknown 0       | 1 InternalServerError unknown 0       | 1 InternalServerError unknown 0
status 503 after commit          | read                      | 1 InternalServerError unknown 0       | 2 success 0                           | 3 InternalServerError unknown 0
status 503 after commit          | delete                    | 1 InternalServerError unknown 1       | 2 NotFoundError unknown 1             | 3 InternalServerError unknown 1
status 503 after commit          | keyed refresh             | 1 InternalServerError unknown 1       | 2 success 1                           | 3 InternalServerError unknown 1
status 503 after commit          | once                      | 1 InternalServerError unknown 1       | 1 InternalServerError unknown 1       | 1 InternalServerError unknown 1
status 503, Retry-After soon     | read                      | 1 InternalServerError unknown 0       | 2 success 0                           | 3 InternalServerError unknown 0
status 503, Retry-After soon     | delete keyed refresh      | 1 InternalServerError unknown 0       | 2 success 1                           | 3 InternalServerError unknown 0
status 503, Retry-After soon     | once                      | 1 InternalServerError unknown 0       | 1 InternalServerError unknown 0       | 1 InternalServerError unknown 0
status 503, Retry-After in 2 s   | read                      | 1 InternalServerError unknown 0       | 2 success 0                           | 3 InternalServerError unknown 0
status 503, Retry-After in 2 s   | delete keyed refresh      | 1 InternalServerError unknown 0       | 2 success 1                           | 3 InternalServerError unknown 0
status 503, Retry-After in 2 s   | once                      | 1 InternalServerError unknown 0       | 1 InternalServerError unknown 0       | 1 InternalServerError unknown 0
status 503, Retry-After in 120 s | every                     | 1 InternalServerError unknown 0       | 1 InternalServerError unknown 0       | 1 InternalServerError unknown 0
status 504                       | read                      | 1 InternalServerError unknown 0       | 2 success 0                           | 3 InternalServerError unknown 0
status 504                       | delete keyed refresh      | 1 InternalServerError unknown 0       | 2 success 1                           | 3 InternalServerError unknown 0
status 504                       | once                      | 1 InternalServerError unknown 0       | 1 InternalServerError unknown 0       | 1 InternalServerError unknown 0
status 504 after commit          | read                      | 1 InternalServerError unknown 0       | 2 success 0                           | 3 InternalServerError unknown 0
status 504 after commit          | delete                    | 1 InternalServerError unknown 1       | 2 NotFoundError unknown 1             | 3 InternalServerError unknown 1
status 504 after commit          | keyed refresh             | 1 InternalServerError unknown 1       | 2 success 1                           | 3 InternalServerError unknown 1
status 504 after commit          | once                      | 1 InternalServerError unknown 1       | 1 InternalServerError unknown 1       | 1 InternalServerError unknown 1
malformed-json                   | read                      | 1 ResponseValidationError unknown 0   | 2 success 0                           | 3 ResponseValidationError unknown 0
malformed-json                   | delete                    | 1 ResponseValidationError unknown 1   | 2 NotFoundError unknown 1             | 2 NotFoundError unknown 1
malformed-json                   | keyed refresh             | 1 ResponseValidationError unknown 1   | 2 success 1                           | 3 ResponseValidationError unknown 1
malformed-json                   | once                      | 1 ResponseValidationError unknown 1   | 1 ResponseValidationError unknown 1   | 1 ResponseValidationError unknown 1
unknown-enum                     | read                      | 1 success 0                           | 1 success 0                           | 1 success 0
unknown-enum                     | delete keyed refresh      | 1 success 1                           | 1 success 1                           | 1 success 1
unknown-enum                     | deleted-record            | 1 ResponseValidationError unknown 1   | 2 NotFoundError unknown 1             | 2 NotFoundError unknown 1
unknown-enum                     | once                      | 1 ResponseValidationError unknown 1   | 1 ResponseValidationError unknown 1   | 1 ResponseValidationError unknown 1
unknown-field                    | read                      | 1 success 0                           | 1 success 0                           | 1 success 0
unknown-field                    | delete keyed refresh once | 1 success 1                           | 1 success 1                           | 1 success 1
missing-field                    | read                      | 1 ResponseValidationError succeeded 0 | 1 ResponseValidationError succeeded 0 | 1 ResponseValidationError succeeded 0
missing-field                    | keyed refresh             | 1 ResponseValidationError unknown 1   | 2 success 1                           | 3 ResponseValidationError unknown 1
missing-field                    | once                      | 1 ResponseValidationError succeeded 1 | 1 ResponseValidationError succeeded 1 | 1 ResponseValidationError succeeded 1
missing-field                    | delete                    | 1 success 1                           | 1 success 1                           | 1 success 1
wrong-type                       | read                      | 1 ResponseValidationError succeeded 0 | 1 ResponseValidationError succeeded 0 | 1 ResponseValidationError succeeded 0
wrong-type                       | keyed                     | 1 ResponseValidationError succeeded 1 | 1 ResponseValidationError succeeded 1 | 1 ResponseValidationError succeeded 1
wrong-type                       | delete refresh once       | 1 ResponseMismatchError unknown 1     | 1 ResponseMismatchError unknown 1     | 1 ResponseMismatchError unknown 1
reset-after-commit, then 403     | read                      | 1 ConnectionError unknown 0           | 2 PermissionDeniedError rejected 0    | 2 PermissionDeniedError rejected 0
reset-after-commit, then 403     | delete keyed refresh      | 1 ConnectionError unknown 1           | 2 PermissionDeniedError unknown 1     | 2 PermissionDeniedError unknown 1
reset-after-commit, then 403     | once                      | 1 ConnectionError unknown 1           | 1 ConnectionError unknown 1           | 1 ConnectionError unknown 1
reset-before-commit, then 409    | read                      | 1 ConnectionError unknown 0           | 2 ConflictError rejected 0            | 2 ConflictError rejected 0
reset-before-commit, then 409    | delete keyed refresh      | 1 ConnectionError unknown 0           | 2 ConflictError unknown 0             | 2 ConflictError unknown 0
reset-before-commit, then 409    | once                      | 1 ConnectionError unknown 0           | 1 ConnectionError unknown 0           | 1 ConnectionError unknown 0
429, then reset-after-commit     | read                      | 1 RateLimitError rejected 0           | 3 success 0                           | 3 ConnectionError unknown 0
429, then reset-after-commit     | delete                    | 1 RateLimitError rejected 0           | 3 NotFoundError unknown 1             | 3 ConnectionError unknown 1
429, then reset-after-commit     | keyed refresh             | 1 RateLimitError rejected 0           | 3 success 1                           | 3 ConnectionError unknown 1
429, then reset-after-commit     | once                      | 1 RateLimitError rejected 0           | 2 ConnectionError unknown 1           | 2 ConnectionError unknown 1
nothing listens, abort in the wait | every                   | 1 ConnectionError not-sent 0          | 1 AbortedError not-sent 0             | 1 AbortedError not-sent 0
429, abort in the wait           | every                     | 1 RateLimitError rejected 0           | 1 AbortedError rejected 0             | 1 AbortedError rejected 0
reset-after-commit, abort in the wait | read                 | 1 ConnectionError unknown 0           | 1 AbortedError unknown 0              | 1 AbortedError unknown 0
reset-after-commit, abort in the wait | delete keyed refresh | 1 ConnectionError unknown 1           | 1 AbortedError unknown 1              | 1 AbortedError unknown 1
reset-after-commit, abort in the wait | once                 | 1 ConnectionError unknown 1           | 1 ConnectionError unknown 1           | 1 ConnectionError unknown 1
503, then 403                    | read                      | 1 InternalServerError unknown 0       | 2 PermissionDeniedError rejected 0    | 2 PermissionDeniedError rejected 0
503, then 403                    | delete keyed refresh      | 1 InternalServerError unknown 0       | 2 PermissionDeniedError unknown 0     | 2 PermissionDeniedError unknown 0
503, then 403                    | once                      | 1 InternalServerError unknown 0       | 1 InternalServerError unknown 0       | 1 InternalServerError unknown 0
503 with Retry-After, then 403   | read                      | 1 InternalServerError unknown 0       | 2 PermissionDeniedError rejected 0    | 2 PermissionDeniedError rejected 0
503 with Retry-After, then 403   | delete keyed refresh      | 1 InternalServerError unknown 0       | 2 PermissionDeniedError unknown 0     | 2 PermissionDeniedError unknown 0
503 with Retry-After, then 403   | once                      | 1 InternalServerError unknown 0       | 1 InternalServerError unknown 0       | 1 InternalServerError unknown 0
`;

/** The same for creates with an idempotency id at a service that refuses a repeated id instead of responding again. */
const tableOfRefusals = `
trouble                      | for   | retries 0, once                 | retries 2, once           | retries 2, every time
reset-before-commit          | keyed | 1 ConnectionError unknown 0     | 2 success 1               | 3 ConnectionError unknown 0
reset-after-commit           | keyed | 1 ConnectionError unknown 1     | 2 ConflictError unknown 1 | 3 ConnectionError unknown 1
cut-body                     | keyed | 1 ConnectionError unknown 1     | 2 ConflictError unknown 1 | 2 ConflictError unknown 1
stall-headers                | keyed | 1 TimeoutError unknown 1        | 2 ConflictError unknown 1 | 3 TimeoutError unknown 1
status 500 after commit      | keyed | 1 InternalServerError unknown 1 | 2 ConflictError unknown 1 | 3 InternalServerError unknown 1
status 503                   | keyed | 1 InternalServerError unknown 0 | 2 success 1               | 3 InternalServerError unknown 0
status 503 after commit      | keyed | 1 InternalServerError unknown 1 | 2 ConflictError unknown 1 | 3 InternalServerError unknown 1
429, then reset-after-commit | keyed | 1 RateLimitError rejected 0     | 3 ConflictError unknown 1 | 3 ConnectionError unknown 1
`;

/** The rows of a table: for which operations, and one expectation per column. */
interface Row {
  trouble: string;
  holdsFor: readonly string[];
  cells: readonly Expectation[];
}

const rows = parse(table);
const refusals = parse(tableOfRefusals);

export const troublesInTable: readonly string[] = [...new Set(rows.map(({ trouble }) => trouble))];
export const troublesOfRefusals: readonly string[] = refusals.map(({ trouble }) => trouble);

/** The expectations for a trouble that befalls an operation, one per column. */
export function expectationsFor(
  trouble: string,
  operation: OperationUnderTest,
  refuses = false,
): readonly Expectation[] {
  const candidates = (refuses ? refusals : rows).filter((row) => row.trouble === trouble);
  for (const name of [...shown(operation), operation.retryClass, 'every']) {
    const found = candidates.filter(({ holdsFor }) => holdsFor.includes(name));
    if (found.length > 1) throw new Error(`The table has ${found.length} rows for ${trouble} and ${name}`);
    if (found[0] !== undefined) return found[0].cells;
  }
  throw new Error(`The table has no row for ${trouble} and ${operation.name}`);
}

/** In the dialect `field` a deletion returns the record, whose status must be INACTIVE: any other one proves nothing. */
function shown({ retryClass }: OperationUnderTest): string[] {
  return retryClass === 'delete' && process.env.PAYMENTS_DIALECT === 'field' ? ['deleted-record'] : [];
}

function parse(text: string): Row[] {
  const [head, ...lines] = text
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));
  const titles = columns.map(({ title }) => title);
  if (head?.slice(2).join() !== titles.join()) throw new Error('The columns are not those of the test');
  return lines.map(([trouble = '', holdsFor = '', ...cells]) => {
    if (cells.length !== columns.length) throw new Error(`A row of ${trouble} has ${cells.length} cells`);
    return { trouble, holdsFor: holdsFor.split(' '), cells: cells.map(parseCell) };
  });
}

function parseCell(cell: string): Expectation {
  const match = /^(\d) (?:success|(\w+Error) (not-sent|rejected|unknown|succeeded)) (\d)$/.exec(cell);
  if (match === null) throw new Error(`A cell cannot be read: ${cell}`);
  const [, attempts, ending = 'success', outcome = 'succeeded', done] = match;
  return { attempts: Number(attempts), ending, outcome, done: Number(done) };
}
