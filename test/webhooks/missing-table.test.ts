import { describe, expect, it } from 'vitest';
import { postgresDedupe } from '../../src/webhooks/index.ts';
import { collectLog, receiving } from './logged.ts';
import { signedRequest } from './support.ts';

const lines = collectLog();
const failure = (details: object) => Object.assign(new Error('x'), details);

describe('a dedupe table that does not exist', () => {
  it.each([
    ['of Postgres', failure({ code: '42P01' })],
    ['of a query builder', failure({ cause: failure({ code: '42P01' }) })],
  ])('is named with the function that makes it: %s', async (_name, error) => {
    const handle = receiving(
      { otherwise: () => {} },
      {
        dedupe: postgresDedupe({ query: () => Promise.reject(error), table: 'app.webhook_event' }),
      },
    );
    expect((await handle(await signedRequest())).status).toBe(503);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('the dedupe store failed to claim evt_1 (42P01)');
    expect(lines[0]).toContain(
      "The table app.webhook_event does not exist: run the SQL of postgresDedupeTable('app.webhook_event')",
    );
  });

  it('is named by prune, too', async () => {
    const { prune } = postgresDedupe({ query: () => Promise.reject(failure({ code: '42P01' })) });
    await expect(prune()).rejects.toThrow('run the SQL of postgresDedupeTable() in a migration');
  });

  it('keeps the error of the database as its cause', async () => {
    const error = failure({ code: '42P01' });
    await expect(postgresDedupe({ query: () => Promise.reject(error) }).prune()).rejects.toMatchObject({
      code: '42P01',
      cause: error,
    });
  });
});
