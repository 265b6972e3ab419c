import { explore } from 'stablecoin-payments/emulator';
import { describe, expect, test } from 'vitest';
import { cases } from '../../cases.ts';
import { rightPrograms } from './right-programs.ts';
import { wrongPrograms } from './wrong-programs.ts';

/** Every third by day, of each kind; at night all. */
const someOf = <T>(programs: Readonly<Record<string, T>>): [string, T][] =>
  Object.entries(programs).filter((_program, place) => place % cases(3, 1) === 0);

describe('finds each wrong program by its own mistake', () => {
  test.each(someOf(wrongPrograms))('%s', async (_name, wrongProgram) => {
    const { what, processes = 1, remembers = false, ...program } = wrongProgram;
    const { wrong } = await explore({ ...program, processes });
    const found = wrong.find((one) => one.what === what);
    expect(found?.story).toContain(`wrong: ${what}`);
    if (remembers) return;
    // The line runs the same mistake again.
    const again = await explore({ ...program, processes, schedule: found?.schedule });
    expect(again).toMatchObject({ schedules: 1, wrong: [{ what, schedule: found?.schedule }] });
  });
});

describe.each([1, 2] as const)('accuses no right program with %i processes', (processes) => {
  test.each(someOf(rightPrograms))('%s', async (_name, program) => {
    const { wrong, schedules } = await explore({ ...program, processes, depth: cases(1, 2) });
    expect(wrong).toEqual([]);
    expect(schedules).toBeGreaterThan(20);
  });
});
