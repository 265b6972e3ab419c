import { readPayroll } from 'stablecoin-payments/payouts';
import { describe, expect, test } from 'vitest';

const file = (...lines: string[]) => lines.join('\n');
const approvalOf = (value: string) =>
  readPayroll(file('employee,payee,amount,approval', `E1,p1,10,${value}`))[0]?.needsApproval;

describe('a payroll file', () => {
  test('is read in any order of columns, with quotes, a byte-order mark and empty lines', () => {
    const text =
      '\uFEFF Amount , "Payee",EMPLOYEE,approval\r\n\r\n10.5,"p,1","E ""1""",no\r\n 7 , p2 , E2 ,YES\r\n';
    expect(readPayroll(text)).toEqual([
      { employee: 'E "1"', payee: 'p,1', amount: '10.5', needsApproval: false },
      { employee: 'E2', payee: 'p2', amount: '7', needsApproval: true },
    ]);
  });

  test('takes amounts with up to six places and nine digits before them', () => {
    const amounts = ['10.25', '0.000001', '999999999.123456'];
    const lines = amounts.map((amount, place) => `E${place},p1,${amount}`);
    const read = readPayroll(file('employee,payee,amount', ...lines));
    expect(read.map(({ amount }) => amount)).toEqual(amounts);
  });

  test('leaves out blank lines, spaces around quotes, and a byte-order mark at the start alone', () => {
    const read = readPayroll('employee,payee,amount\r\n   \r\n "E\uFEFF1" , p1 ,"10" \r\n');
    expect(read).toEqual([{ employee: 'E\uFEFF1', payee: 'p1', amount: '10', needsApproval: false }]);
  });

  test('a value in quotes may go over lines, and the next fault is still found', () => {
    expect(readPayroll('employee,payee,amount\n"E\n1",p1,10')[0]?.employee).toBe('E\n1');
    expect(() => readPayroll('employee,payee,amount\n"E\n1",p1,10\nE2,p2,0')).toThrow('line 4: amount');
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
    expect(readPayroll(file('employee,payee,amount', 'E1,p1,10'))).toEqual([
      { employee: 'E1', payee: 'p1', amount: '10', needsApproval: false },
    ]);
  });

  test.each(['Approve', 'needs_approval', 'aproval', 'approval?', '', 'note'])(
    'refuses the header %j',
    (name) => {
      expect(() => readPayroll(file(`employee,payee,amount,${name}`, 'E1,p1,10,yes'))).toThrow(
        `the header ${JSON.stringify(name.toLowerCase())} is none of`,
      );
    },
  );

  test('refuses with all that is wrong in one message', () => {
    const failing = (text: string) => {
      try {
        return readPayroll(text);
      } catch (error) {
        return error;
      }
    };
    expect(failing('employee,payee,amount,note\n')).toEqual(
      new TypeError(
        'The payroll file cannot be used: the header "note" is none of employee, payee, amount, approval. Nothing was enqueued.',
      ),
    );
    const ten = failing(file('employee,payee,amount', ...Array.from({ length: 10 }, () => 'E1,p1')));
    const wrong = Array.from({ length: 10 }, (_, place) => `line ${place + 2} has 2 values instead of 3`);
    expect(ten).toEqual(
      new TypeError(`The payroll file cannot be used: ${wrong.join('; ')}. Nothing was enqueued.`),
    );
  });

  test('refuses a header that is missing or there twice', () => {
    expect(() => readPayroll('employee,amount\n')).toThrow('the header payee is missing');
    expect(() => readPayroll('employee,payee,amount,approval,approval\n')).toThrow(
      'approval is there 2 times',
    );
    expect(() => readPayroll('')).toThrow('the file is empty');
    expect(() => readPayroll('employee;payee;amount;approval\n')).toThrow('is none of');
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
    ['"E1,p1,10', 'line 2 has a double quote that is not closed'],
    ['E"1,p1,10', 'line 2 has a double quote within a value'],
    ['"E"1,p1,10', 'line 2 has a double quote within a value'],
    ['"E1" "x",p1,10', 'line 2 has a double quote within a value'],
  ])('refuses %j', (lines, message) => {
    expect(() => readPayroll(`employee,payee,amount\n${lines}`)).toThrow(message);
  });

  test('lists what is wrong, up to ten, without values, and says that nothing was enqueued', () => {
    const lines = Array.from({ length: 12 }, (_, place) => `E${place},secret-payee,secret-amount`);
    const read = () => readPayroll(file('employee,payee,amount', ...lines));
    expect(read).toThrow(/line 11: amount[^;]*; and 2 more\. Nothing was enqueued\.$/);
    expect(read).not.toThrow(/secret/);
  });
});
