import { readPayroll } from 'stablecoin-payments/payouts';
import { describe, expect, test } from 'vitest';

/** Rows as a CSV library gives them. */
const rows = (...lines: string[]) => lines.map((line) => line.split(','));
const approvalOf = (value: string) =>
  readPayroll(rows('employee,payee,amount,approval', `E1,p1,10,${value}`))[0]?.needsApproval;

describe('a payroll file', () => {
  test('is read in any order of columns, with space around names and values, and empty rows', () => {
    const table = [
      [' Amount ', 'Payee', 'EMPLOYEE', 'approval'],
      [''],
      ['10.5', 'p,1', 'E "1"', 'no'],
      ['   '],
      [],
      [' 7 ', ' p2 ', ' E2 ', 'YES'],
    ];
    expect(readPayroll(table)).toEqual([
      { employee: 'E "1"', payee: 'p,1', amount: '10.5', needsApproval: false },
      { employee: 'E2', payee: 'p2', amount: '7', needsApproval: true },
    ]);
  });

  test('takes amounts with up to six places and nine digits before them', () => {
    const amounts = ['10.25', '0.000001', '999999999.123456'];
    const lines = amounts.map((amount, place) => `E${place},p1,${amount}`);
    const read = readPayroll(rows('employee,payee,amount', ...lines));
    expect(read.map(({ amount }) => amount)).toEqual(amounts);
  });

  test('a value may go over lines, and the next fault is found in the line of the file', () => {
    const head = ['employee', 'payee', 'amount'];
    expect(readPayroll([head, ['E\n1', 'p1', '10']])[0]?.employee).toBe('E\n1');
    expect(() => readPayroll([head, [''], ['E\n1', 'p1', '10'], ['E2', 'p2', '0']])).toThrow(
      'line 5: amount',
    );
  });

  test('is not read as text', () => {
    const text: unknown = 'employee,payee,amount';
    // @ts-expect-error The parser is a library of the caller's.
    expect(() => readPayroll(text)).toThrow('parse it into rows first');
  });

  test.each(['yes', 'Yes', 'YES', 'y', 'true', 'True', '1', 'required', ' yes '])(
    'understands the approval %j',
    (value) => expect(approvalOf(value)).toBe(true),
  );
  test.each(['no', 'No', 'n', 'false', '0', 'none'])('understands that %j is no approval', (value) =>
    expect(approvalOf(value)).toBe(false),
  );
  test.each(['', 'maybe', 'ja', 'x', '2', 'oui', '-', 'yes!', 'null'])('refuses the approval %j', (value) =>
    expect(() => approvalOf(value)).toThrow('line 2: approval must be yes or no'),
  );

  test('without the column nobody needs approval', () => {
    expect(readPayroll(rows('employee,payee,amount', 'E1,p1,10'))).toEqual([
      { employee: 'E1', payee: 'p1', amount: '10', needsApproval: false },
    ]);
  });

  test.each(['Approve', 'needs_approval', 'aproval', 'approval?', '', 'note'])(
    'refuses the header %j',
    (name) => {
      expect(() => readPayroll(rows(`employee,payee,amount,${name}`, 'E1,p1,10,yes'))).toThrow(
        `the header ${JSON.stringify(name.toLowerCase())} is none of`,
      );
    },
  );

  test('refuses with all that is wrong in one message', () => {
    const failing = (text: string[][]) => {
      try {
        return readPayroll(text);
      } catch (error) {
        return error;
      }
    };
    expect(failing(rows('employee,payee,amount,note'))).toEqual(
      new TypeError(
        'The payroll file cannot be used: the header "note" is none of employee, payee, amount, approval. Nothing was enqueued.',
      ),
    );
    const ten = failing(rows('employee,payee,amount', ...Array.from({ length: 10 }, () => 'E1,p1')));
    const wrong = Array.from({ length: 10 }, (_, place) => `line ${place + 2} has 2 values instead of 3`);
    expect(ten).toEqual(
      new TypeError(`The payroll file cannot be used: ${wrong.join('; ')}. Nothing was enqueued.`),
    );
  });

  test('refuses a header that is missing or there twice', () => {
    expect(() => readPayroll(rows('employee,amount'))).toThrow('the header payee is missing');
    expect(() => readPayroll(rows('employee,payee,amount,approval,approval'))).toThrow(
      'approval is there 2 times',
    );
    expect(() => readPayroll([])).toThrow('the file is empty');
    expect(() => readPayroll(rows('employee;payee;amount;approval'))).toThrow('is none of');
  });

  test.each([
    ['E1,p1', 'line 2 has 2 values instead of 3'],
    ['E1,p1,10,yes', 'line 2 has 4 values instead of 3'],
    ['E1,p1,1,250.50', 'line 2 has 4 values'],
    [',p1,10', 'line 2: employee is empty'],
    ['E1, ,10', 'line 2: payee is empty'],
    ['E1,p1,0', 'line 2: amount'],
    ['E1,p1,0.0000001', 'line 2: amount'],
    ['E1,p1,-5', 'line 2: amount'],
    ['E1,p1,1e3', 'line 2: amount'],
    ['E1,p1,$5', 'line 2: amount'],
    ['E1,p1,1000000000', 'line 2: amount'],
    ['E1,p1,10\nE2,p2,10\nE1,p1,10', 'line 4: the employee is in line 2 already'],
  ])('refuses %j', (lines, message) => {
    expect(() => readPayroll(rows('employee,payee,amount', ...lines.split('\n')))).toThrow(message);
  });

  test('lists what is wrong, up to ten, without values, and says that nothing was enqueued', () => {
    const lines = Array.from({ length: 12 }, (_, place) => `E${place},secret-payee,secret-amount`);
    const read = () => readPayroll(rows('employee,payee,amount', ...lines));
    expect(read).toThrow(/line 11: amount[^;]*; and 2 more\. Nothing was enqueued\.$/);
    expect(read).not.toThrow(/secret/);
  });
});
