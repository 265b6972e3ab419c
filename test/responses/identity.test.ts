import { describe, expect, it } from 'vitest';
import { plainId } from '../../src/evidence/key-memory.ts';
import { refusalNames } from '../../src/evidence/refusal.ts';
import { compareIdentity, sameId } from '../../src/transport/response/identity.ts';
import { isErrorShape } from '../../src/transport/response/judge.ts';

const uuid = '6fa459ea-ee8a-4ca4-894e-db77e160355e';
const none = { path: undefined, requestId: undefined };

describe('a response that names another request', () => {
  const identity = { echoes: { userId: ['userId', 'user.id'], requestId: ['transfer.requestId'] } };
  const sent = { path: { userId: 'u1' }, requestId: uuid };
  it.each([
    [{ userId: 'u1' }, undefined, true],
    [{ user: { id: 'U1' } }, undefined, true],
    [{ userId: 'u2', user: { id: 'u1' } }, undefined, true],
    [{ userId: 'u2' }, 'userId', false],
    [{ userId: 'u2', user: { id: 'u3' } }, 'userId', false],
    [{ user: { id: 'u3' } }, 'user.id', false],
    [{ userId: 'u1', transfer: { requestId: 'other' } }, 'transfer.requestId', false],
    [{ transfer: { requestId: uuid.toUpperCase() } }, undefined, true],
    [{ userId: 7 }, 'userId', false],
    [{ userId: '' }, undefined, false],
    [{ userId: null }, undefined, false],
    [{ userId: { id: 'u1' } }, undefined, false],
    [{ userId: true }, undefined, false],
    [{}, undefined, false],
    [null, undefined, false],
    ['u1', undefined, false],
    [['u1'], undefined, false],
    [Object.create({ userId: 'u2' }), undefined, false],
  ])('%j: mismatch at %s, proven: %s', (body, mismatch, proven) => {
    expect(compareIdentity(body, identity, sent)).toEqual({ mismatch, contradiction: undefined, proven });
  });

  it('compares numbers by their digits', () => {
    expect(
      compareIdentity({ userId: 7 }, identity, { path: { userId: '7' }, requestId: undefined }).proven,
    ).toBe(true);
  });

  it('compares nothing with what was not sent', () => {
    expect(compareIdentity({ userId: 'u2' }, identity, none)).toEqual({
      mismatch: undefined,
      contradiction: undefined,
      proven: false,
    });
    expect(compareIdentity({ userId: 'u1' }, identity, { path: {}, requestId: undefined }).proven).toBe(
      false,
    );
  });

  it.each([
    ['items.[].userId', { items: [{ userId: 'u1' }, { userId: 'u2' }] }],
    ['byId.*.userId', { byId: { a: { userId: 'u1' }, b: { userId: 'u2' } } }],
  ])('each value below %s must be the one that was sent', (path, body) => {
    const list = { echoes: { userId: [path] } };
    expect(compareIdentity(body, list, sent)).toMatchObject({ mismatch: path, proven: false });
    const first = JSON.parse(JSON.stringify(body).replace('u2', 'u1'));
    expect(compareIdentity(first, list, sent)).toMatchObject({ mismatch: undefined, proven: true });
    const reversed = JSON.parse(JSON.stringify(body).replace('u1', 'u3').replace('u2', 'u1'));
    expect(compareIdentity(reversed, list, sent)).toMatchObject({ mismatch: path });
  });

  it('reads no list where the path has none, and no record where it has a list', () => {
    const list = { echoes: { userId: ['items.[].userId'] } };
    expect(compareIdentity({ items: { 0: { userId: 'u2' } } }, list, sent).mismatch).toBeUndefined();
    const record = { echoes: { userId: ['items.0.userId'] } };
    expect(compareIdentity({ items: [{ userId: 'u2' }] }, record, sent).mismatch).toBeUndefined();
  });
});

describe('what proves that a response belongs to its request', () => {
  it('the id of the record, at any of its places', () => {
    const identity = { record: ['transferId', 'data.id'] };
    expect(compareIdentity({ transferId: 't1' }, identity, none).proven).toBe(true);
    expect(compareIdentity({ data: { id: 5 } }, identity, none).proven).toBe(true);
    expect(compareIdentity({ data: { id: '' } }, identity, none).proven).toBe(false);
    expect(compareIdentity({ id: 't1' }, identity, none).proven).toBe(false);
  });

  it('a requestId at the top, which disproves nothing', () => {
    const sent = { path: undefined, requestId: uuid };
    expect(compareIdentity({ requestId: uuid }, {}, sent)).toMatchObject({ proven: true });
    expect(compareIdentity({ requestId: 'gateway-7' }, {}, sent)).toEqual({
      mismatch: undefined,
      contradiction: undefined,
      proven: false,
    });
    expect(compareIdentity({ requestId: uuid }, {}, none).proven).toBe(false);
  });
});

describe('a response that contradicts the call', () => {
  const identity = { contradictions: { status: ['REJECTED', 'FAILED'], 'data.status': ['REJECTED'] } };
  it.each([
    [{ status: 'REJECTED' }, 'status'],
    [{ status: 'failed' }, 'status'],
    [{ data: { status: 'Rejected' } }, 'data.status'],
    [{ data: { status: 'FAILED' } }, undefined],
    [{ status: 'APPROVED' }, undefined],
    [{}, undefined],
  ])('%j: at %s', (body, contradiction) => {
    expect(compareIdentity(body, identity, none).contradiction).toBe(contradiction);
  });
});

describe('two ids', () => {
  it.each([
    ['a', 'a', true],
    ['a', 'A', true],
    [' a ', 'a', true],
    [7, '7', true],
    [7, '07', false],
    ['a-b', 'ab', false],
    [uuid, uuid.replaceAll('-', ''), true],
    [uuid.toUpperCase(), uuid, true],
    [`{${uuid}}`, uuid, true],
    [`urn:uuid:${uuid}`, uuid, true],
    [`URN:UUID:${uuid}`, uuid, true],
    [`x-urn:uuid:${uuid}`, uuid, false],
    [`${uuid}0`, uuid, false],
    [`0${uuid}`, uuid, false],
    [uuid.replace('6', 'g'), uuid, false],
  ])('%s and %s are the same: %s', (one, other, same) => {
    expect(sameId(one, other)).toBe(same);
  });

  it('that are no UUID keep their hyphens and prefix', () => {
    expect(plainId(' A-B ')).toBe('a-b');
    expect(plainId('urn:uuid:abc')).toBe('urn:uuid:abc');
    const broken = uuid.replace('-', 'urn:uuid:');
    expect(plainId(broken)).toBe(broken);
    expect(plainId(`x${uuid}`)).toBe(`x${uuid}`);
    expect(plainId(`${uuid}x`)).toBe(`${uuid}x`);
    expect(plainId(uuid)).toBe(uuid.replaceAll('-', ''));
  });
});

describe('an error under a status of success', () => {
  it.each([
    { success: false },
    { success: 'false' },
    { status: 'error' },
    { status: 'fail' },
    { status: 'failure' },
    { error: 'X' },
    { error: true },
    { error: { code: 1 } },
    { error: ['x'] },
    { errors: ['x'] },
    { errors: { a: 1 } },
    { errorDetails: 'x' },
    { code: 'INSUFFICIENT_BALANCE', message: 'x', requestId: 'r' },
  ])('%j', (body) => {
    expect(isErrorShape(body, refusalNames())).toBe(true);
  });

  it.each([
    {},
    null,
    'error',
    [{ error: 'X' }],
    { success: true },
    { success: 'true' },
    { success: '' },
    { status: 'FAILED' },
    { status: '' },
    { error: '' },
    { error: null },
    { error: false },
    { error: 0 },
    { error: 7 },
    { error: {} },
    { error: [] },
    { errors: [] },
    { errorDetails: '' },
    { code: 'SUCCESS' },
    { code: 200 },
  ])('not: %j', (body) => {
    expect(isErrorShape(body, refusalNames())).toBe(false);
  });
});
