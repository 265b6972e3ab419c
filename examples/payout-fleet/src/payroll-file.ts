import type { PayoutOrder } from 'stablecoin-payments/payouts';

const HEADERS = ['employee', 'payee', 'amount', 'approval'] as const;
type Header = (typeof HEADERS)[number];
const YES: readonly string[] = ['yes', 'y', 'true', '1', 'required'];
const NO: readonly string[] = ['no', 'n', 'false', '0', 'none'];
/** Most problems that a message lists. */
const SHOWN = 10;

/**
 * Reads a payroll from the rows of a table with the columns `employee`, `payee`, `amount` and, optionally, `approval`.
 * Parse the CSV file with a library such as csv-parse first. Every row is checked before anything is returned. What the
 * reader does not understand is an error: a misspelled header or an approval of `maybe` must not become a payout without
 * approval.
 *
 * @param rows - The rows, the header first. Empty rows are left out. `approval` takes yes, y, true, 1, required, no, n,
 * false, 0 or none in any case. Without the column no payout needs approval.
 * @returns The orders, in the order of the rows.
 * @throws TypeError that lists the lines at fault, without the values of payee and amount.
 */
export function readPayroll(rows: readonly (readonly string[])[]): PayoutOrder[] {
  const [head, ...lines] = numbered(rows);
  if (head === undefined) throw payrollFault(['the file is empty']);
  const columns = readHead(head.cells);
  const problems: string[] = [];
  const seen = new Map<string, number>();
  const orders: PayoutOrder[] = [];
  for (const { cells, line } of lines) {
    const where = `line ${line}`;
    if (cells.length !== columns.length) {
      problems.push(`${where} has ${cells.length} values instead of ${columns.length}`);
      continue;
    }
    const cell = (name: Header): string => (cells[columns.indexOf(name)] ?? '').trim();
    const [employee, payee, amount] = [cell('employee'), cell('payee'), cell('amount')];
    if (employee === '') problems.push(`${where}: employee is empty`);
    if (payee === '') problems.push(`${where}: payee is empty`);
    if (!isAmount(amount)) {
      problems.push(`${where}: amount must be above 0 and below 1,000,000,000, with at most six places`);
    }
    const before = seen.get(employee);
    if (before !== undefined) problems.push(`${where}: the employee is in line ${before} already`);
    seen.set(employee, line);
    const needsApproval = columns.includes('approval') ? readApproval(cell('approval')) : false;
    if (needsApproval === undefined) problems.push(`${where}: approval must be yes or no`);
    else orders.push({ employee, payee, amount, needsApproval });
  }
  if (problems.length > 0) throw payrollFault(problems);
  return orders;
}

function readHead(cells: readonly string[]): string[] {
  const names = cells.map((cell) => cell.trim().toLowerCase());
  const problems: string[] = [];
  for (const name of names.filter((name) => !HEADERS.some((header) => header === name))) {
    problems.push(`the header ${JSON.stringify(name)} is none of ${HEADERS.join(', ')}`);
  }
  for (const header of HEADERS) {
    const count = names.filter((name) => name === header).length;
    if (count > 1) problems.push(`the header ${header} is there ${count} times`);
    if (count === 0 && header !== 'approval') problems.push(`the header ${header} is missing`);
  }
  if (problems.length > 0) throw payrollFault(problems);
  return names;
}

function readApproval(value: string): boolean | undefined {
  const word = value.toLowerCase();
  if (YES.includes(word)) return true;
  return NO.includes(word) ? false : undefined;
}

function payrollFault(problems: readonly string[]): TypeError {
  const more = problems.length > SHOWN ? `; and ${problems.length - SHOWN} more` : '';
  return new TypeError(
    `The payroll file cannot be used: ${problems.slice(0, SHOWN).join('; ')}${more}. Nothing was enqueued.`,
  );
}

interface Line {
  readonly cells: readonly string[];
  readonly line: number;
}

/** Returns true for decimal text that `enqueue` takes as an amount. */
const isAmount = (amount: string): boolean => /^\d{1,9}(\.\d{1,6})?$/.test(amount) && Number(amount) > 0;

/** Numbers the rows as an editor does, where a value may go over lines. Empty rows are left out. */
function numbered(rows: readonly (readonly string[])[]): Line[] {
  let next = 1;
  const lines = rows.map((cells) => {
    const line = next;
    next += cells.join('').split('\n').length;
    return { cells, line };
  });
  return lines.filter(({ cells }) => cells.length > 1 || (cells[0] ?? '').trim() !== '');
}
