import { expect, test } from 'vitest';
import { table } from '../outcomes/table.ts';
import { read } from './documents.ts';

test('the guide has the rows by which the tests read responses', () => {
  const rows = table.map(({ row, what, proved }) => `| ${row} | ${what} | ${proved} |`).join('\n');
  expect(read('docs/guides/outcomes.md')).toContain(
    `| Row | What came | Outcome |\n|---|---|---|\n${rows}\n`,
  );
});
