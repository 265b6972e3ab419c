import { describe, expect, it } from 'vitest';
import { SmallHeaders, SmallRequest } from '../../../src/client/wire/ky-platform.ts';
import { Cancellation } from '../../../src/client/wire/wire.ts';

describe('the small Headers', () => {
  it('have one value for a name, in any case', () => {
    const headers = new SmallHeaders({ Accept: 'application/json' });
    headers.set('ACCEPT', 'text/csv');
    expect(headers.get('accept')).toBe('text/csv');
    expect(headers.has('Accept')).toBe(true);
    headers.delete('aCCept');
    expect(headers.has('accept')).toBe(false);
    expect(headers.get('accept')).toBeNull();
  });

  it('are made of others, and do not share them', () => {
    const first = new SmallHeaders({ a: '1' });
    const second = new SmallHeaders(first);
    second.set('b', '2');
    expect([...first]).toEqual([['a', '1']]);
    expect([...second]).toEqual([
      ['a', '1'],
      ['b', '2'],
    ]);
    expect([...new SmallHeaders()]).toEqual([]);
  });
});

describe('a small Request', () => {
  it('has what it was made of, and no stream', () => {
    const signal = new Cancellation();
    const headers = new SmallHeaders({ a: '1' });
    const request = new SmallRequest('https://payments.test/', {
      method: 'POST',
      headers,
      body: '{}',
      cache: 'no-store',
      signal,
    });
    expect(request).toMatchObject({ method: 'POST', content: '{}', cache: 'no-store', body: null });
    expect(request.signal).toBe(signal);
    headers.set('a', '2');
    expect(request.headers.get('a')).toBe('1');
  });

  it('is a GET without a body unless it is told otherwise', () => {
    for (const request of [
      new SmallRequest('https://payments.test/'),
      new SmallRequest('https://payments.test/', { body: null }),
    ])
      expect(request).toMatchObject({
        method: 'GET',
        content: undefined,
        cache: undefined,
        signal: undefined,
      });
  });
});
