import { describe, expect, it } from 'vitest';
import { clientOf, failure, json, scripted } from '../support.ts';

describe('what describes an operation', () => {
  it('is closed for paginate, too', async () => {
    const list: object = { path: '/v2/x', next: () => undefined, item: () => [] };
    const error = await failure(clientOf(scripted(json({}))).paginate(list as never));
    expect(error.message).toContain('Did you mean `items`?');
  });

  it.each<[given: object, words: string]>([
    [{ retrySafety: 'Once' }, '`retrySafety` must be'],
    [{ retrySafty: 'once' }, 'Did you mean `retrySafety`?'],
    [{ schema: {} }, '`schema` must be a Standard Schema'],
    [
      { idempotencyKey: 'requestId' },
      '`idempotencyKey` is not an option. Did you mean an idempotency header',
    ],
    [{ essential: 'id' }, '`essential` must be'],
    [{ identity: {} }, '`identity` is not an option'],
  ])('is closed for request: %o', async (given, words) => {
    const fetch = scripted(json({}));
    const error = await failure(clientOf(fetch).request({ method: 'POST', path: '/v2/quotes', ...given }));
    expect(error).toMatchObject({ name: 'InvalidRequestError', outcome: 'not-sent' });
    expect(error.message).toContain(words);
    expect(fetch.seen).toEqual([]);
  });
});
