import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { outcomeOf, readErrorResponse } from '../../src/evidence/evidence.ts';
import { refusalNames } from '../../src/evidence/refusal.ts';

const guide = readFileSync(new URL('../../docs/guides/errors.md', import.meta.url), 'utf8');
const section = guide.split('### What a refusal proves')[1]?.split('\n## ')[0] ?? '';
const rows = [...section.matchAll(/^\| (\d[\d, ]*)(?:`(\{.*\})` )?\| `([a-z]+)` \|/gm)].flatMap(
  ([, statuses, body, outcome]) =>
    (statuses ?? '').split(',').map((status) => [Number(status), body, outcome] as const),
);

it('the guide to errors has rows for every kind of refusal', () => {
  expect(rows.length).toBeGreaterThan(25);
  expect(new Set(rows.map(([, , outcome]) => outcome))).toEqual(new Set(['unknown', 'rejected']));
});

it.each(rows)('the guide says of %i %s that the outcome is %s', (status, body, outcome) => {
  const json: unknown = body === undefined ? undefined : JSON.parse(body);
  const finding = readErrorResponse({ status, json, asksToWait: false }, 'a key', refusalNames());
  expect(outcomeOf(finding)).toBe(outcome);
});
