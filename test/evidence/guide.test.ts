import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { bridge, clientOf, failure, json, scripted } from '../client/support.ts';

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

it.each(rows)('the guide says of %i %s that the outcome is %s', async (status, body, outcome) => {
  const answer = json(body === undefined ? undefined : JSON.parse(body), status);
  const payments = clientOf(scripted(answer), { retries: 0 });
  expect(await failure(payments.bridges.create(bridge))).toMatchObject({ attempts: 1, outcome });
});
