import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  createWebhookReceiver,
  jwtBearer,
  postgresDedupe,
  redisDedupe,
  sqliteDedupe,
  standardWebhooks,
  type WebhookReceiverOptions,
} from '../../src/webhooks/index.ts';
import { pem, rsa } from './key-pairs.ts';
import { rejected, secret, signedRequest } from './support.ts';

const lines: string[] = [];
beforeEach(() => {
  lines.length = 0;
  vi.spyOn(console, 'error').mockImplementation((line) => lines.push(String(line)));
});
afterEach(() => vi.restoreAllMocks());

const receiving = (options: Partial<WebhookReceiverOptions>, handle: () => unknown = () => {}) =>
  createWebhookReceiver({ verifier: standardWebhooks({ secret }), ...options }).handler({
    otherwise: handle,
  });
const failure = (details: object) => Object.assign(new Error('tr_1 is secret'), details);

describe('a store that fails', () => {
  const postgres = (error: unknown) => postgresDedupe({ query: () => Promise.reject(error) });
  const redis = (error: unknown) => redisDedupe({ command: () => Promise.reject(error) });

  it.each([
    ['another database', postgres(failure({ code: '3D000' })), '3D000'],
    ['a wrong password', postgres(failure({ code: '28000' })), '28000'],
    ['a refused connection', postgres(failure({ code: 'ECONNREFUSED' })), 'ECONNREFUSED'],
    [
      'a read-only Redis',
      redis(new Error("READONLY You can't write against a read only replica.")),
      'READONLY',
    ],
    [
      'a read-only Redis before 7',
      redis(new Error("ERR Error running script (call to f_1): @user_script:4: -READONLY You can't write")),
      'READONLY',
    ],
    ['Redis without a password', redis(new Error('NOAUTH Authentication required.')), 'NOAUTH'],
  ])('is logged with the step, the event and the code: %s', async (_name, dedupe, code) => {
    const response = await receiving({ dedupe })(await signedRequest());
    expect(response.status).toBe(503);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(`the dedupe store failed to claim evt_1 (${code})`);
    expect(lines[0]).not.toContain('secret');
  });

  it('is logged when SQLite has no table any more', async () => {
    const database = new DatabaseSync(':memory:');
    const dedupe = sqliteDedupe({ database });
    database.exec('drop table webhook_event');
    await receiving({ dedupe })(await signedRequest());
    expect(lines[0]).toMatch(/the dedupe store failed to claim evt_1 \(ERR_SQLITE_ERROR 1\)/);
  });

  it('is logged when it fails to release', async () => {
    const dedupe = {
      claim: async () => 'claimed' as const,
      commit: async () => {},
      release: () => Promise.reject(failure({ code: '57P01' })),
    };
    const handle = () => Promise.reject(failure({ code: 'ETIMEDOUT' }));
    expect((await receiving({ dedupe }, handle)(await signedRequest())).status).toBe(500);
    expect(lines[0]).toContain(`the handler of "TRANSFER.APPROVAL.REJECTED" failed for evt_1 (ETIMEDOUT)`);
    expect(lines[1]).toContain('the dedupe store failed to release evt_1 (57P01)');
    expect(lines.join()).not.toContain('tr_1');
  });
});

describe('a dedupe table that does not exist', () => {
  it.each([
    ['of Postgres', failure({ code: '42P01' })],
    ['of a query builder', failure({ cause: failure({ code: '42P01' }) })],
  ])('is named with the function that makes it: %s', async (_name, error) => {
    const dedupe = postgresDedupe({ query: () => Promise.reject(error), table: 'app.webhook_event' });
    expect((await receiving({ dedupe })(await signedRequest())).status).toBe(503);
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

describe('a handler that fails', () => {
  it.each([
    ['its code', failure({ code: 'ECONNRESET' }), 'ECONNRESET'],
    ['the code of its cause', failure({ cause: failure({ code: '23505' }) }), '23505'],
    ['its name', new TypeError('tr_1 is secret'), 'TypeError'],
    ['what it is', 'a text about tr_1', 'string'],
    ['no code that may be content', failure({ code: 'tr_1 is secret' }), 'Error'],
  ])('is logged with the event and %s', async (_name, thrown, code) => {
    await receiving({}, () => Promise.reject(thrown))(await signedRequest());
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(`the handler of "TRANSFER.APPROVAL.REJECTED" failed for evt_1 (${code})`);
    expect(lines[0]).not.toContain('tr_1');
  });

  it('cannot write a line of its own by the id of an event', async () => {
    const event = { ...rejected, eventId: 'evt_1\nall is well' };
    const sign = { standardWebhooks: { secret, id: 'x' } };
    const receive = receiving({ eventId: () => event.eventId }, () => Promise.reject(new Error()));
    await receive(await signedRequest(event, sign));
    expect(lines[0]).not.toContain('\n');
  });
});

describe('deliveries that fail after one was verified', () => {
  const other = 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB';
  const forged = () => signedRequest(rejected, { standardWebhooks: { secret: other } });

  it('are logged as refused and perhaps lost, with their number', async () => {
    const receive = receiving({});
    expect((await receive(await forged())).status).toBe(500);
    expect((await receive(await signedRequest())).status).toBe(200);
    expect(lines.splice(0)).toEqual([expect.stringContaining('has not verified any delivery yet')]);
    for (let number = 0; number < 10; number += 1) expect((await receive(await forged())).status).toBe(401);
    expect(lines).toHaveLength(2);
    for (const line of lines) {
      expect(line).toMatch(/refused now/);
      expect(line).toMatch(/lost if the sender does not retry/);
      expect(line).toMatch(/rotated/);
    }
    expect(lines[0]).toContain('1 delivery');
    expect(lines[1]).toContain('10 deliveries');
  });

  it('are logged with the exact number at least once a minute', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    try {
      const receive = receiving({ tolerance: 3_600_000 });
      await receive(await signedRequest());
      for (let number = 0; number < 4; number += 1) {
        await receive(await forged());
        vi.advanceTimersByTime(61_000);
      }
      expect(lines).toHaveLength(4);
      expect(lines[3]).toContain('4 deliveries');
    } finally {
      vi.useRealTimers();
    }
  });

  it('are counted for onError, too', async () => {
    const contexts: object[] = [];
    const receive = receiving({ onError: (_error, context) => contexts.push(context) });
    await receive(await forged());
    await receive(await signedRequest());
    await receive(await forged());
    await receive(await forged());
    const id = 'evt_1';
    expect(contexts).toEqual([
      { status: 500, id },
      { status: 401, id, refused: 1 },
      { status: 401, id, refused: 2 },
    ]);
  });

  it('are not said to be lost where the response is 500', async () => {
    const receive = receiving({ unverifiedStatus: 500 });
    await receive(await signedRequest());
    expect((await receive(await forged())).status).toBe(500);
    expect(lines[0]).not.toContain('lost');
  });
});

describe('every refusal', () => {
  const forged = { standardWebhooks: { secret: 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB', id: 'msg_77' } };

  it('is logged with the id of the delivery: of its header', async () => {
    const contexts: object[] = [];
    await receiving({})(await signedRequest(rejected, forged));
    expect(lines[0]).toContain('msg_77');
    const telling = receiving({ onError: (_error, context) => contexts.push(context) });
    await telling(await signedRequest(rejected, forged));
    expect(contexts).toEqual([expect.objectContaining({ id: 'msg_77' })]);
  });

  it('is logged with the id of the delivery: of its body, where no header has one', async () => {
    const handle = receiving({
      verifier: jwtBearer({ publicKey: pem(rsa.publicKey), bodyBinding: 'required' }),
    });
    await handle(new Request('http://r.test/', { method: 'POST', body: JSON.stringify(rejected) }));
    expect(lines[0]).toContain('evt_1');
  });

  it('is logged for a signed body that is no event, too', async () => {
    const sign = { standardWebhooks: { secret, id: 'msg_78' } };
    await receiving({})(await signedRequest({ hello: 1 }, sign));
    expect(lines[0]).toContain('msg_78');
  });

  it('cannot write a line of its own by an id', async () => {
    const request = new Request('http://r.test/', {
      method: 'POST',
      body: JSON.stringify({ eventId: `evt\n${'x'.repeat(500)}` }),
    });
    await receiving({})(request);
    expect(lines[0]).not.toContain('\n');
    expect(lines[0]?.length).toBeLessThan(700);
  });
});

describe('a handler that throws', () => {
  const throwing = async (error: () => unknown, event: string | object = rejected) => {
    const handle = receiving({}, function handleIt() {
      throw error();
    });
    await handle(await signedRequest(event));
    return lines.join('\n');
  };

  it('is logged with its message, the place in its own code, the id and the kind', async () => {
    const line = await throwing(() => new RangeError('the ledger has no such column'));
    expect(lines).toHaveLength(1);
    expect(line).toContain('500 for "TRANSFER.APPROVAL.REJECTED"');
    expect(line).toContain('evt_1');
    expect(line).toContain('RangeError: the ledger has no such column');
    expect(line).toMatch(/at .*log\.test\.ts:\d+:\d+/);
    expect(line).not.toMatch(/node_modules|node:internal/);
  });

  it('is logged with the message of its cause', async () => {
    const line = await throwing(() => new Error('could not save', { cause: new Error('disk is full') }));
    expect(line).toContain('could not save');
    expect(line).toContain('disk is full');
  });

  it.each([
    ['a value of the event', 'no account for tr_secret_77'],
    ['a long number', 'account 000123456789 is closed'],
    ['an e-mail address', 'unknown user jane.doe@example.com'],
    ['a token', 'fetch failed with Bearer abc.def.ghi'],
    ['an address with a password', 'connect postgres://app:hunter2@db.internal/app failed'],
  ])('shows no %s of its message', async (_what, message) => {
    const event = { ...rejected, data: { transferId: 'tr_secret_77', comment: 'x' } };
    const line = await throwing(() => new Error(message), event);
    expect(line).toContain('[redacted]');
    for (const hidden of ['tr_secret_77', '000123456789', 'jane.doe', 'abc.def', 'hunter2'])
      expect(line).not.toContain(hidden);
  });

  it.each([
    ['deeper than the stack', '['.repeat(50_000) + ']'.repeat(50_000)],
    ['with many texts', JSON.stringify(Array(50_000).fill('x1234'))],
    ['with a long text', JSON.stringify('%41'.repeat(100_000))],
  ])('is logged for an event %s', async (_what, comment) => {
    const event = JSON.stringify({ ...rejected, data: { transferId: 'tr_1', comment: '…' } }).replace(
      '"…"',
      comment,
    );
    const line = await throwing(() => new Error('disk is full'), event);
    expect(lines).toHaveLength(1);
    expect(line).toContain('disk is full');
  });

  it.each([
    ['parts of addresses', 'a.'.repeat(500_000)],
    ['lines like those of a stack', '@'.repeat(500_000)],
    ['a long word', 'a'.repeat(6_000_000)],
  ])('is logged without a message of %s', async (_what, message) => {
    const line = await throwing(() => new Error(message));
    expect(line).toContain('evt_1');
    expect(line.length).toBeLessThan(2_000);
  });

  it('writes one line, whatever its message is', async () => {
    expect(await throwing(() => new Error('one\n  two\u001b[31m three'))).not.toMatch(/\p{Cc}/u);
    expect(await throwing(() => 'a text')).toContain('a text');
    expect(await throwing(() => undefined)).toContain('undefined');
    expect(
      await throwing(() => {
        const broken = new Error('x');
        Object.defineProperty(broken, 'message', {
          get: () => {
            throw new Error('in the getter');
          },
        });
        return broken;
      }),
    ).toContain('evt_1');
  });
});
