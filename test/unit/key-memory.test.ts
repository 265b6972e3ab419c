import { describe, expect, it } from 'vitest';
import { digestOf, KeyMemory, keyMemoryOf, ownerOf } from '../../src/evidence/key-memory.ts';
import { type Finding, InvalidRequestError, type PaymentsError } from '../../src/index.ts';

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

const [one, two] = ['{"amount":1}', '{"amount":2}'];
const [ada, ben] = [1, 2];

interface Given {
  payload?: string;
  requestId?: string;
  operation?: string;
  owner?: number;
  isNewKey?: boolean;
  inDoubt?: boolean;
}

const begin = (memory: KeyMemory, { payload = one, ...given }: Given = {}) =>
  memory.begin({
    ...{ requestId: 'id-1', operation: 'transfers.create', owner: ada, isNewKey: false, inDoubt: false },
    ...given,
    digest: digestOf(payload),
  });

/** Makes a call that ends with a finding. */
const end = (memory: KeyMemory, finding: Finding, given: Given = {}) => begin(memory, given).settle(finding);

describe('what is known of a key', () => {
  it('is nothing before the first call, open while one is under way, and what it came to', () => {
    const memory = new KeyMemory();
    expect(memory.recall('id-1')).toBeUndefined();
    const first = begin(memory);
    expect(memory.recall('id-1')).toBe('open');
    first.note('refused');
    first.settle();
    expect(memory.recall('id-1')).toBe('refused');
    begin(memory).settle();
    expect(memory.recall('id-1')).toBe('open');
  });

  const order = ['not-reached', 'refused', 'open', 'known', 'made'] as const;
  it.each(order)('is the strongest finding of its calls: %s', (first) => {
    for (const second of order) {
      const memory = new KeyMemory();
      end(memory, first);
      end(memory, second);
      const strongest = order[Math.max(order.indexOf(first), order.indexOf(second))];
      expect(memory.recall('id-1')).toBe(strongest);
    }
  });

  it('is, for a call, what all others came to', () => {
    const memory = new KeyMemory();
    const first = begin(memory);
    expect(first.earlier()).toBeUndefined();
    const second = begin(memory);
    expect(first.earlier()).toBe('open');
    second.settle('refused');
    expect(first.earlier()).toBe('refused');
    first.settle('refused');
  });

  it('compares keys without case, and without the hyphens, braces, prefix and spaces of a UUID', () => {
    const memory = new KeyMemory();
    end(memory, 'made', { requestId: '6fa459ea-ee8a-4ca4-894e-db77e160355e' });
    for (const same of [
      '6FA459EAEE8A4CA4894EDB77E160355E',
      '{6fa459ea-ee8a-4ca4-894e-db77e160355e}',
      'urn:uuid:6fa459ea-ee8a-4ca4-894e-db77e160355e',
      ' 6fa459ea-ee8a-4ca4-894e-db77e160355e ',
    ])
      expect(memory.recall(same)).toBe('made');
    end(memory, 'made', { requestId: 'My-Key' });
    expect([memory.recall(' my-key'), memory.recall('mykey')]).toEqual(['made', undefined]);
  });

  it('is open where the caller says so, until a record closes it', () => {
    const memory = new KeyMemory();
    end(memory, 'refused', { inDoubt: true });
    expect(memory.recall('id-1')).toBe('open');
    end(memory, 'made');
    expect(memory.recall('id-1')).toBe('made');
  });
});

describe('a memory', () => {
  it('is one for each origin, and one for each origin of a fetch of the caller’s', () => {
    const origin = `https://${crypto.randomUUID()}.example`;
    const fetch = () => undefined;
    end(keyMemoryOf(origin, undefined), 'open');
    // Where the other copies of this package look for it, in the form that they read.
    const shared = Reflect.get(globalThis, Symbol.for('stablecoin-payments.keys.3'));
    expect(shared.byOrigin.get(origin)).toEqual({
      keys: expect.any(Map),
      line: expect.anything(),
      hasForgotten: false,
    });
    expect(keyMemoryOf(origin, undefined).recall('id-1')).toBe('open');
    expect(keyMemoryOf(`${origin}:81`, undefined).recall('id-1')).toBeUndefined();
    expect(keyMemoryOf(origin, fetch).recall('id-1')).toBeUndefined();
    end(keyMemoryOf(origin, fetch), 'made');
    expect(keyMemoryOf(origin, fetch).recall('id-1')).toBe('made');
    expect(keyMemoryOf(`${origin}:81`, fetch).recall('id-1')).toBeUndefined();
  });

  it('tells owners by the text of a token, or by the identity of a function', () => {
    const [first, second] = [() => 'token', () => 'token'];
    expect(ownerOf('token')).toBe(ownerOf('token'));
    expect(ownerOf(first)).toBe(ownerOf(first));
    expect(new Set([ownerOf('token'), ownerOf('other'), ownerOf(first), ownerOf(second)]).size).toBe(4);
  });
});

describe('a key under two credentials', () => {
  it.each<[Finding, Finding]>([
    ['made', 'open'],
    ['known', 'open'],
    ['open', 'open'],
    ['refused', 'refused'],
    ['not-reached', 'not-reached'],
  ])('that the first one ended as %s is %s for the other one', (finding, told) => {
    const memory = new KeyMemory();
    end(memory, finding);
    const call = begin(memory, { payload: two, owner: ben });
    expect(call.earlier()).toBe(told);
    call.settle('not-reached');
    expect(memory.recall('id-1', ada)).toBe(finding);
  });

  it('is refused to each of them for another payload than its own', () => {
    const memory = new KeyMemory();
    end(memory, 'made');
    end(memory, 'made', { payload: two, owner: ben });
    for (const given of [{ payload: two }, { payload: one, owner: ben }])
      expect(thrownBy(() => begin(memory, given))).toMatchObject({ code: 'request_id_reused' });
  });

  it('is open while the other one has a call under way', () => {
    const memory = new KeyMemory();
    const running = begin(memory);
    end(memory, 'refused', { owner: ben });
    expect(memory.recall('id-1', ben)).toBe('open');
    running.settle('refused');
    expect(memory.recall('id-1', ben)).toBe('refused');
  });
});

describe('another payload under a key', () => {
  it.each([
    ['made', 'succeeded'],
    ['open', 'unknown'],
    ['refused', 'pending'],
    ['not-reached', 'pending'],
  ] as const)('is told of a call that ended as %s while another is under way: %s', (finding, outcome) => {
    const memory = new KeyMemory();
    const [first] = [begin(memory), begin(memory)];
    first.settle(finding);
    expect(thrownBy(() => begin(memory, { payload: two }))).toMatchObject({ earlier: { outcome } });
  });

  it('may be sent once nothing of the earlier calls reached the service, and its payment is not theirs', () => {
    const memory = new KeyMemory();
    const first = begin(memory);
    const second = begin(memory);
    first.settle('not-reached');
    expect(() => begin(memory, { payload: two })).toThrow('used this `requestId`');
    second.settle('not-reached');
    end(memory, 'made', { payload: two });
    expect(memory.recall('id-1')).toBe('made');
  });
});

describe('how many keys are remembered', () => {
  const others = (memory: KeyMemory, finding: Finding, count = 10_000, prefix = 'other') => {
    for (let index = 0; index < count; index += 1)
      end(memory, finding, { requestId: `${prefix}-${index}`, isNewKey: true });
  };

  it.each<Finding>(['known', 'open'])('a key that was %s outlives any number of certain ones', (finding) => {
    const memory = new KeyMemory();
    end(memory, finding);
    for (const certain of ['made', 'refused', 'not-reached'] as const)
      others(memory, certain, 10_000, certain);
    expect(memory.recall('id-1')).toBe(finding);
    expect(memory.recall('never')).toBeUndefined();
  });

  it.each<Finding>(['made', 'refused', 'not-reached'])('a key that was %s is as good as new', (finding) => {
    const memory = new KeyMemory();
    end(memory, finding);
    others(memory, 'made');
    expect(memory.recall('id-1')).toBeUndefined();
    expect(() => begin(memory, { payload: two })).not.toThrow();
  });

  it('once a key in doubt was forgotten, every key of a caller that is not remembered is in doubt', () => {
    const memory = new KeyMemory();
    others(memory, 'open', 10_001);
    expect([memory.recall('other-0'), memory.recall('never')]).toEqual(['open', 'open']);
    end(memory, 'refused');
    expect(memory.recall('id-1')).toBe('open');
    end(memory, 'refused', { requestId: 'new', isNewKey: true });
    expect(memory.recall('new')).toBe('refused');
  });

  it('the one that was used longest ago is forgotten first, and a call under way never is', () => {
    const memory = new KeyMemory();
    const running = begin(memory);
    end(memory, 'made', { requestId: 'first' });
    end(memory, 'made', { requestId: 'second' });
    others(memory, 'made', 9_997);
    end(memory, 'made', { requestId: 'first' });
    end(memory, 'made', { requestId: 'last' });
    expect([memory.recall('first'), memory.recall('second')]).toEqual(['made', undefined]);
    others(memory, 'refused', 20_000, 'more');
    expect(() => begin(memory, { payload: two })).toThrow('is still under way');
    running.settle('made');
    expect(memory.recall('id-1')).toBe('made');
  });
});
