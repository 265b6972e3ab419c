import { describe, expect, it } from 'vitest';
import { InvalidRequestError, type PaymentsError } from '../../src/index.ts';
import { canonicalJson } from '../../src/transport/request/canonical-json.ts';
import { digestOf, requestIdIn, withRequestId } from '../../src/transport/request/idempotency.ts';
import { RequestIdLedger } from '../../src/transport/request/request-id-ledger.ts';

/** The error that an action throws. */
function thrownBy(action: () => unknown): PaymentsError {
  try {
    action();
  } catch (error) {
    if (error instanceof InvalidRequestError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

const one = '{"amount":1}';
const two = '{"amount":2}';
const note = (ledger: RequestIdLedger, payload = one, id = 'id-1', operation = 'transfers.create') =>
  ledger.note(id, operation, payload);

describe('what the calls with an id came to', () => {
  it('is not known before the first call', () => {
    expect(new RequestIdLedger().outcomeOf('id-1')).toBeUndefined();
  });

  it('may be anything while a call is under way, unless one made the payment', () => {
    const ledger = new RequestIdLedger();
    const first = note(ledger);
    expect(ledger.outcomeOf('id-1')).toBe('unknown');
    first.settle('rejected');
    expect(ledger.outcomeOf('id-1')).toBe('rejected');
    const second = note(ledger);
    const third = note(ledger);
    expect(ledger.outcomeOf('id-1')).toBe('unknown');
    second.settle('rejected');
    expect(ledger.outcomeOf('id-1')).toBe('unknown');
    third.settle('succeeded');
    note(ledger);
    expect(ledger.outcomeOf('id-1')).toBe('succeeded');
  });

  it.each([
    ['not-sent', 'rejected', 'rejected'],
    ['rejected', 'not-sent', 'rejected'],
    ['rejected', 'unknown', 'unknown'],
    ['unknown', 'rejected', 'unknown'],
    ['unknown', 'not-sent', 'unknown'],
    ['unknown', 'succeeded', 'succeeded'],
    ['succeeded', 'unknown', 'succeeded'],
    ['succeeded', 'rejected', 'succeeded'],
  ] as const)('is the strongest: %s, then %s, is %s', (first, second, strongest) => {
    const ledger = new RequestIdLedger();
    const calls = [note(ledger), note(ledger)];
    calls[0]?.settle(first);
    calls[1]?.settle(second);
    expect(ledger.outcomeOf('id-1')).toBe(strongest);
  });

  it('compares ids without case, and without the hyphens of a UUID', () => {
    const ledger = new RequestIdLedger();
    note(ledger, one, '6fa459ea-ee8a-4ca4-894e-db77e160355e').settle('succeeded');
    expect(ledger.outcomeOf('6FA459EAEE8A4CA4894EDB77E160355E')).toBe('succeeded');
  });
});

describe('another payload under an id', () => {
  it.each([
    ['succeeded', 'succeeded', 'made its payment'],
    ['rejected', 'rejected', 'was refused'],
    ['unknown', 'unknown', 'may have made its payment'],
  ] as const)('is refused after a call that ended as %s', (outcome, told, words) => {
    const ledger = new RequestIdLedger();
    note(ledger).settle(outcome);
    const error = thrownBy(() => note(ledger, two, 'ID-1', 'bridges.create'));
    expect(error).toMatchObject({
      code: 'request_id_reused',
      operation: 'bridges.create',
      requestId: 'ID-1',
      field: 'requestId',
      earlier: { operation: 'transfers.create', outcome: told },
      message: `bridges.create: an earlier transfers.create call used this \`requestId\` with another payload, and it ${words}. This payload was not sent. Give a new payment a \`requestId\` of its own; to retry the earlier one, send the same payload.`,
    });
  });

  it('is refused while the earlier call is under way, also after one that was not sent', () => {
    const ledger = new RequestIdLedger();
    note(ledger);
    const words = 'and it is still under way and may make its payment.';
    expect(thrownBy(() => note(ledger, two))).toMatchObject({ earlier: { outcome: 'pending' } });
    note(ledger).settle('not-sent');
    const error = thrownBy(() => note(ledger, two));
    expect(error).toMatchObject({ earlier: { outcome: 'pending' } });
    expect(error.message).toContain(words);
  });

  it('is refused where only the operation is another one', () => {
    const ledger = new RequestIdLedger();
    note(ledger);
    expect(() => note(ledger, one, 'id-1', 'bridges.create')).toThrow('used this `requestId`');
    expect(() => note(ledger)).not.toThrow();
  });

  it('may be sent once nothing of the earlier calls was sent', () => {
    const ledger = new RequestIdLedger();
    note(ledger).settle('not-sent');
    expect(ledger.outcomeOf('id-1')).toBeUndefined();
    expect(() => note(ledger, two)).not.toThrow();
    const both = new RequestIdLedger();
    const [first, second] = [note(both), note(both)];
    first.settle('not-sent');
    expect(() => note(both, two)).toThrow('used this `requestId`');
    second.settle('not-sent');
    expect(() => note(both, two)).not.toThrow();
  });

  it('stays refused where one of two calls was sent, and a later one was not', () => {
    const ledger = new RequestIdLedger();
    note(ledger).settle('unknown');
    note(ledger).settle('not-sent');
    expect(() => note(ledger, two)).toThrow('may have made its payment');
  });
});

describe('how many ids are remembered', () => {
  it('10,000: the one that was used longest ago is forgotten first', () => {
    const ledger = new RequestIdLedger();
    for (let count = 0; count < 10_000; count += 1) note(ledger, one, `n${count}`).settle('unknown');
    note(ledger, one, 'n0').settle('unknown');
    note(ledger, one, 'further').settle('unknown');
    expect(ledger.outcomeOf('n0')).toBe('unknown');
    expect(ledger.outcomeOf('n1')).toBeUndefined();
    expect(ledger.outcomeOf('n2')).toBe('unknown');
    expect(ledger.outcomeOf('further')).toBe('unknown');
  });

  it('a call that ends after its id was forgotten touches no later one', () => {
    const ledger = new RequestIdLedger();
    const old = note(ledger, one, 'old');
    for (let count = 0; count < 10_000; count += 1) note(ledger, one, `n${count}`);
    note(ledger, two, 'old').settle('unknown');
    old.settle('not-sent');
    expect(ledger.outcomeOf('old')).toBe('unknown');
  });
});

describe('two payloads are the same', () => {
  const same = (one: string, other: string) => canonicalJson(one) === canonicalJson(other);
  it.each([
    ['{"b":1,"a":{"d":1,"c":2}}', '{"a":{"c":2,"d":1},"b":1}'],
    ['{"requestId":"x","a":1}', '{"requestId":"y","a":1}'],
    ['{"amount":"25"}', '{"amount":25}'],
    ['{"amount":"25.00"}', '{"amount":25}'],
    ['{"amount":"025.50"}', '{"amount":25.5}'],
    ['{"amount":"25."}', '{"amount":25}'],
    ['{"amount":"0"}', '{"amount":0}'],
    ['{"amount":"00"}', '{"amount":0}'],
    ['{"sourceAmount":"1.0"}', '{"sourceAmount":1}'],
    ['{"AMOUNT":"1.0"}', '{"AMOUNT":1}'],
    ['{"amount":["1.0"]}', '{"amount":[1]}'],
    ['{"a":[{"amount":"1.0"}]}', '{"a":[{"amount":1}]}'],
    ['[{"amount":"1.0"}]', '[{"amount":1}]'],
    ['{"amount":"0.10000000000000000001"}', '{"amount":"0.1000000000000000000100"}'],
  ])('%s and %s', (first, second) => {
    expect(same(first, second)).toBe(true);
  });

  it.each([
    ['{"a":1}', '{"a":2}'],
    ['{"a":1}', '{"b":1}'],
    ['{"a":{"requestId":"x"}}', '{"a":{"requestId":"y"}}'],
    ['[{"requestId":"x"}]', '[{"requestId":"y"}]'],
    ['{"note":"1.0"}', '{"note":1}'],
    ['{"amounts":"1.0"}', '{"amounts":1}'],
    ['{"amount":"10"}', '{"amount":1}'],
    ['{"amount":"1.05"}', '{"amount":1.5}'],
    ['{"amount":"x1"}', '{"amount":1}'],
    ['{"amount":"1x"}', '{"amount":1}'],
    ['{"amount":"1,0"}', '{"amount":1}'],
    ['{"amount":"1e1"}', '{"amount":10}'],
    ['{"amount":"-1"}', '{"amount":-1}'],
    ['{"amount":""}', '{"amount":0}'],
    ['{"amount":"."}', '{"amount":0}'],
    ['{"amount":null}', '{"amount":0}'],
    ['{"amount":"0.1000000000000000055"}', '{"amount":0.1}'],
    ['["1.0"]', '[1]'],
    ['"1.0"', '1'],
    ['{"a":[1,2]}', '{"a":[2,1]}'],
    ['{"a":[]}', '{"a":{}}'],
    ['{"a":[["b",1]]}', '{"a":{"b":1}}'],
    ['{"a":1,"b":2}', '{"a":1}'],
  ])('not: %s and %s', (first, second) => {
    expect(same(first, second)).toBe(false);
  });

  it('text that is no JSON stays as it is', () => {
    expect(canonicalJson('a=1&requestId=x')).toBe('a=1&requestId=x');
  });
});

describe('the digest of a payload', () => {
  it('is another one for texts that differ in one place, and a whole number of at most 53 bits', () => {
    const texts = ['', ' ', 'a', 'b', 'ab', 'ba', 'aa', 'aaa', 'á', one, two, `${one} `, ` ${one}`];
    for (let index = 0; index < 2_000; index += 1) texts.push(`transfers.create {"amount":${index}}`);
    const digests = texts.map(digestOf);
    expect(new Set(digests).size).toBe(texts.length);
    expect(digests.every((digest) => Number.isSafeInteger(digest) && digest >= 0)).toBe(true);
    // Both halves are used: whole numbers above 32 bits, and low halves that differ.
    expect(digests.some((digest) => digest > 2 ** 52)).toBe(true);
    expect(new Set(digests.map((digest) => digest % 2 ** 32)).size).toBe(texts.length);
    expect(new Set(digests.map((digest) => Math.floor(digest / 2 ** 32))).size).toBeGreaterThan(2_000);
    expect(digestOf('a')).toBe(digestOf('a'));
  });
});

describe('the request id of a body', () => {
  it('is the one that is given', () => {
    const body = { requestId: 'mine', a: 1 };
    expect(withRequestId(body, 'x.create')).toEqual({ requestId: 'mine', body });
    expect(requestIdIn(body)).toBe('mine');
  });

  it('is a new UUID where there is none, in a body that no prototype can rewrite', () => {
    for (const given of [{ a: 1 }, { a: 1, requestId: undefined }, Object.create({ requestId: 'theirs' })]) {
      const { requestId, body } = withRequestId(given, 'x.create');
      expect(requestId).toMatch(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
      expect(body).toEqual(Object.assign(Object.create(null), given, { requestId }));
      expect(Object.getPrototypeOf(body)).toBeNull();
    }
  });

  it.each([
    ['', 'empty'],
    [7, 'a number'],
    [null, 'null'],
  ])('%j is refused', (requestId, what) => {
    const error = thrownBy(() => withRequestId({ requestId }, 'x.create'));
    expect(error).toMatchObject({ operation: 'x.create', field: 'requestId' });
    expect(error.message).toBe(`x.create: \`requestId\` must be a UUID string, but is ${what}.`);
  });

  it('is not taken from what is no body, no text, or a prototype', () => {
    const others = [undefined, null, 'text', 7, [], {}, { requestId: '' }, { requestId: 7 }];
    for (const body of [...others, Object.create({ requestId: 'theirs' })]) {
      expect(requestIdIn(body)).toBeUndefined();
    }
  });
});
