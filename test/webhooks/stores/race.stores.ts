import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Pool } from 'pg';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { postgresDedupeTable, signWebhook } from '../../../src/webhooks/index.ts';
import { clients } from './connect.ts';
import type { Finish, Race } from './racer.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const races = 300;
const children: ChildProcess[] = [];

beforeAll(async () => {
  const pool = new Pool({ max: 1 });
  await pool.query(postgresDedupeTable());
  await pool.end();
});
afterEach(() => {
  for (const child of children.splice(0)) if (child.connected) child.disconnect();
});

async function start(client: string, ...more: string[]): Promise<ChildProcess> {
  const child = fork(fileURLToPath(new URL('racer.ts', import.meta.url)), [client, secret, ...more], {
    execArgv: ['--no-warnings'],
  });
  children.push(child);
  await once(child, 'message');
  return child;
}

async function run(child: ChildProcess, race: Race): Promise<Finish> {
  const finished = once(child, 'message');
  child.send(race);
  const [finish] = await finished;
  return finish;
}

describe.each(clients)(`two receivers in processes of their own, with %s`, (client) => {
  it(`handle each of ${races} events once, although both receive it in the same moment`, async () => {
    const receivers = await Promise.all([start(client), start(client)]);
    const handlers = [0, 0];
    for (let index = 0; index < races; index += 1) {
      const { body, headers } = await signWebhook(
        { eventId: `${client} ${index}`, eventType: 'A.B', data: {} },
        { standardWebhooks: { secret } },
      );
      const race = { at: Date.now() + 4, body, headers };
      const finishes = await Promise.all(receivers.map((child) => run(child, race)));
      const winner = finishes.findIndex(({ handled }) => handled);
      expect(finishes.filter(({ handled }) => handled)).toEqual([{ status: 200, handled: true }]);
      const [loser] = finishes.filter(({ handled }) => !handled);
      expect([200, 503]).toContain(loser?.status);
      handlers[winner] = (handlers[winner] ?? 0) + 1;
    }
    // A race that one process always wins is none.
    expect(Math.min(...handlers)).toBeGreaterThan(0);
  });
});

describe.each(clients)('the claim of a process that is killed, with %s', (client) => {
  it('ends after claimTtl, and the event is handled once more', async () => {
    const [hanging, other] = await Promise.all([start(client, 'hang'), start(client)]);
    const { body, headers } = await signWebhook(
      { eventId: `${client} ${crypto.randomUUID()}`, eventType: 'A.B', data: {} },
      { standardWebhooks: { secret } },
    );
    const race = (): Race => ({ at: 0, body, headers });
    const handling = once(hanging, 'message');
    hanging.send(race());
    const [message] = await handling;
    expect(message).toBe('handling');
    expect(await run(other, race())).toEqual({ status: 503, handled: false });
    hanging.kill('SIGKILL');
    await once(hanging, 'exit');
    await vi.waitFor(async () => expect(await run(other, race())).toEqual({ status: 200, handled: true }), {
      timeout: 10_000,
    });
    expect(await run(other, race())).toEqual({ status: 200, handled: false });
  });
});
