import { describe, expect, test } from 'vitest';
import { documents, read } from './documents.ts';

const cellsOf = (row: string) =>
  row
    .trim()
    .replaceAll(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());

/** The header rows of a document: each row above a row of dashes. */
const headersOf = (text: string) =>
  text
    .replaceAll(/^```[\s\S]*?^```$/gm, '')
    .split('\n')
    .filter((line, index, lines) => /^\s*\|[\s:|-]+\|\s*$/.test(lines[index + 1] ?? '') && line.includes('|'))
    .map(cellsOf);

// A screen reader announces a cell by its header: an empty one says nothing, and axe-core reports it.
describe('every column of a table has a name', () => {
  for (const path of documents()) {
    test(path, () => {
      expect(headersOf(read(path)).filter((cells) => cells.includes(''))).toEqual([]);
    });
  }
});

test('finds a header cell without a name', () => {
  expect(headersOf('| | Name |\n|---|---|\n| a | b |')).toEqual([['', 'Name']]);
});
