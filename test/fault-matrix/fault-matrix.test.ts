import { beforeAll, describe, expect, test } from 'vitest';
import {
  columns,
  type Expectation,
  expectationsFor,
  troublesInTable,
  troublesOfRefusals,
} from './expectations.ts';
import { type OperationUnderTest, operations } from './operations.ts';
import { type CellResult, inParallel, runCell, type Setting } from './run-cell.ts';
import { troubles } from './troubles.ts';

/** Every cell waits far longer than it works, so many are under way at once. */
const atOnce = 256;

describe('every operation, every trouble, over real sockets', () => {
  matrix(operations, troublesInTable, { duplicates: 'replay', throughFetch: false });
});

describe('at a service that refuses a repeated id', () => {
  const creates = operations.filter(({ retryClass }) => retryClass === 'keyed');
  matrix(creates, troublesOfRefusals, { duplicates: 'refuse', throughFetch: false });
});

describe("through a caller's fetch, where the network fails in other words", () => {
  const ofTheNetwork = /^(nothing listens|reset|cut|stall)/;
  const names = troublesInTable.filter((name) => ofTheNetwork.test(name));
  matrix(operations, names, { duplicates: 'replay', throughFetch: true });
});

test('the table covers every trouble, and all sixteen operations are there', () => {
  expect(new Set(troublesInTable)).toEqual(new Set(Object.keys(troubles)));
  expect(new Set(operations.map(({ name }) => name)).size).toBe(16);
});

function matrix(rows: readonly OperationUnderTest[], names: readonly string[], setting: Setting): void {
  const cells = rows.flatMap((operation) =>
    names.map((name) => ({ operation, name, trouble: troubleOf(name) })),
  );
  const results = new Map<string, CellResult>();
  const keyOf = (operation: OperationUnderTest, name: string, column: string) =>
    `${operation.name} ${name} ${column}`;

  beforeAll(async () => {
    const tasks = cells.flatMap(({ operation, name }) =>
      columns.map((column) => async () => {
        const result = await runCell(operation, troubleOf(name), column, setting);
        results.set(keyOf(operation, name, column.title), result);
      }),
    );
    await inParallel(atOnce, tasks);
  }, 120_000);

  for (const { operation, name, trouble } of cells) {
    const expected = expectationsFor(name, operation, setting.duplicates === 'refuse');
    test.each(columns.map((column, index) => ({ ...column, cell: expected[index] })))(
      `${operation.name} meets ${name} ($title)`,
      ({ title, cell }) => {
        const result = results.get(keyOf(operation, name, title));
        if (result === undefined || cell === undefined) throw new Error('This cell was not run');
        const { attempts, ending, outcome, done } = result;
        expect({ attempts, ending, outcome, done }).toEqual(cell);
        expect(result.arrived, 'requests that the emulator counted').toBe(trouble.unreachable ? 0 : attempts);
        if (setting.throughFetch) {
          expect(result.bodies).toHaveLength(attempts);
          expect(new Set(result.bodies).size, 'every attempt carries the same bytes').toBe(1);
        }
        if (trouble.leastWait !== undefined && attempts > 1) {
          expect(result.duration).toBeGreaterThanOrEqual(trouble.leastWait * (attempts - 1));
        }
        agreeWithLedger(operation, result);
      },
    );
  }
}

/** Whatever the table says: what the caller is told and what the ledger shows must be the same story. */
function agreeWithLedger({ retryClass }: OperationUnderTest, { outcome, done }: Expectation): void {
  if (retryClass === 'read') expect(done, 'a read changes nothing').toBe(0);
  else if (outcome === 'succeeded') expect(done, 'done exactly once').toBe(1);
  else if (outcome === 'unknown') expect(done, 'done at most once').toBeLessThanOrEqual(1);
  else expect(done, 'not done').toBe(0);
}

function troubleOf(name: string) {
  const make = troubles[name];
  if (make === undefined) throw new Error(`The table names a trouble that does not exist: ${name}`);
  return make();
}
