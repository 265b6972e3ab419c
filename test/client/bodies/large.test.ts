import { describe, expect, it } from 'vitest';
import { onrampParams } from '../operations.ts';
import { clientOf, failure, json, scripted, text } from '../support.ts';

describe('a body of any size and any depth is a typed error', () => {
  const deep = (start: string) => `${start}${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
  const wide = Array.from({ length: 130_000 }, () => 1);

  it.each<[what: string, body: string]>([
    ['a long list', JSON.stringify({ error: { code: 'TOO_MANY', details: wide } })],
    ['a long list in another form', JSON.stringify({ problems: wide })],
    ['deep lists', deep('{"error":"TOO_DEEP","details":')],
    ['deep lists in another form', deep('{"problems":')],
  ])('%s', async (_what, body) => {
    for (const [status, outcome] of [
      [400, 'unknown'],
      [429, 'rejected'],
      [503, 'unknown'],
      [200, 'unknown'],
    ] as const) {
      const client = clientOf(scripted(text(body, status)), { retries: 0 });
      expect(await failure(client.onramps.create(onrampParams)), `${status}`).toMatchObject({
        outcome,
        attempts: 1,
      });
    }
  });

  it('also where a list has many items, or a large upload is refused', async () => {
    const accounts = Array.from({ length: 130_000 }, (_none, index) => ({ id: `a${index}` }));
    const list = clientOf(scripted(text(JSON.stringify({ accounts }))));
    expect((await list.accounts.list('u1')).items).toHaveLength(130_000);
    const lines = Array.from({ length: 130_000 }, (_none, index) => `row ${index},secret-${index}`);
    const refused = json({ error: 'BAD_FILE' }, 422);
    const error = await failure(
      clientOf(scripted(refused)).request({
        method: 'POST',
        path: '/v2/files',
        body: new Blob([lines.join('\n')]),
      }),
    );
    expect(error).toMatchObject({ name: 'UnprocessableEntityError', outcome: 'unknown' });
    expect(error.message).toContain('BAD_FILE');
  });
});
