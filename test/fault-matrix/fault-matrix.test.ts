import { beforeAll, describe, expect, test } from 'vitest';
import { operations as clientOperations } from '../client/operations.ts';
import {
  type Column,
  columns,
  type Expectation,
  expectationsFor,
  troublesInTable,
  troublesOfRefusals,
} from './expectations.ts';
import { watchTimers } from './limits.ts';
import { type OperationUnderTest, operations } from './operations.ts';
import { type CellResult, closeServers, inParallel, runCell, type Setting } from './run-cell.ts';
import { type Trouble, troubles } from './troubles.ts';

/** Every cell waits far longer than it works, so many are under way at once. */
const atOnce = 48;

interface Cell {
  operation: OperationUnderTest;
  trouble: Trouble;
  setting: Setting;
  column: Column;
  expected: Expectation;
  result: Promise<CellResult>;
  run: () => Promise<void>;
}

const allCells: Cell[] = [];

beforeAll(async () => {
  const stopWatching = watchTimers();
  await inParallel(
    atOnce,
    allCells.map((cell) => cell.run),
  );
  stopWatching();
  await closeServers();
}, 240_000);

/** One operation of each class: what is retried depends on the class alone. */
const ofEachClass = operations.filter(({ name }) =>
  [
    'kyc.retrieve',
    'accounts.delete',
    'transfers.create',
    'onramps.refreshQuote',
    'approvals.approve',
  ].includes(name),
);
const replay: Setting = { duplicates: 'replay', throughFetch: false };

describe('every class of retry, every trouble, over real sockets', () => {
  matrix(ofEachClass, troublesInTable, replay);
});

describe('every operation has its class', () => {
  const others = operations.filter((operation) => !ofEachClass.includes(operation));
  matrix(others, ['reset-after-commit', 'status 429'], replay);
});

describe('at a service that refuses a repeated id', () => {
  const creates = ofEachClass.filter(({ retryClass }) => retryClass === 'keyed');
  matrix(creates, troublesOfRefusals, { duplicates: 'refuse', throughFetch: false });
});

describe("through a caller's fetch, where the network fails in other words", () => {
  const ofTheNetwork = /^(nothing listens|reset|cut|stall)/;
  const names = troublesInTable.filter((name) => ofTheNetwork.test(name));
  matrix(ofEachClass, names, { duplicates: 'replay', throughFetch: true });
});

test('the table covers every trouble, and every operation of the client is there', () => {
  const remedy =
    'each trouble of troubles.ts has a row in the table of expectations.ts, and each row a trouble';
  expect([...new Set(troublesInTable)].sort(), remedy).toEqual(Object.keys(troubles).sort());
  const tested = new Set<string>(operations.map(({ name }) => name));
  const missing = clientOperations.filter(({ name }) => !tested.has(name)).map(({ name }) => name);
  expect(missing, 'operations of test/client/operations.ts: add a case of each to operations.ts').toEqual([]);
  expect(tested.size).toBeGreaterThanOrEqual(16);
  expect(new Set(ofEachClass.map(({ retryClass }) => retryClass)).size).toBe(ofEachClass.length);
});

function matrix(rows: readonly OperationUnderTest[], names: readonly string[], setting: Setting): void {
  for (const operation of rows) {
    for (const name of names) {
      const expectations = expectationsFor(name, operation, setting.duplicates === 'refuse');
      for (const [index, column] of columns.entries()) {
        const expected = expectations[index];
        if (expected === undefined) throw new Error(`The table has no cell for ${name}, ${column.title}`);
        const cell = cellOf(operation, name, setting, column, expected);
        allCells.push(cell);
        test(`${operation.name} meets ${name} (${column.title})`, async () => check(cell, await cell.result));
      }
    }
  }
}

function cellOf(
  operation: OperationUnderTest,
  name: string,
  setting: Setting,
  column: Column,
  expected: Expectation,
): Cell {
  const { promise: result, resolve, reject } = Promise.withResolvers<CellResult>();
  // A failure belongs to the test of this cell, which comes to look at it later.
  result.catch(() => undefined);
  const trouble = troubleOf(name);
  // Made anew, as some name a moment from now.
  const run = () => runCell(operation, troubleOf(name), column, setting).then(resolve, reject);
  return { operation, trouble, setting, column, expected, result, run };
}

function check({ operation, trouble, setting, expected }: Cell, result: CellResult): void {
  const { attempts, ending, outcome, done, arrived, bodies, duration } = result;
  expect({ attempts, ending, outcome, done }).toEqual(expected);
  expect(arrived, 'requests that the emulator counted').toBe(trouble.unreachable ? 0 : attempts);
  if (setting.throughFetch) {
    expect(bodies).toHaveLength(attempts);
    expect(new Set(bodies).size, 'every attempt carries the same bytes').toBe(1);
  }
  if (trouble.leastWait !== undefined && attempts > 1) {
    expect(duration).toBeGreaterThanOrEqual(trouble.leastWait * (attempts - 1));
  }
  agreeWithLedger(operation, result);
}

/** Whatever the table says: what the caller is told and what the ledger shows must be the same story. */
function agreeWithLedger({ retryClass }: OperationUnderTest, { outcome, done }: Expectation): void {
  if (retryClass === 'read') expect(done, 'a read changes nothing').toBe(0);
  else if (outcome === 'succeeded') expect(done, 'done exactly once').toBe(1);
  else if (outcome === 'unknown') expect(done, 'done at most once').toBeLessThanOrEqual(1);
  else expect(done, 'not done').toBe(0);
}

function troubleOf(name: string): Trouble {
  const make = troubles[name];
  if (make === undefined) throw new Error(`The table names a trouble that does not exist: ${name}`);
  return make();
}
