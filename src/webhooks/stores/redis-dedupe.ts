import * as z from 'zod/mini';
import { functionOf } from '../../shared/schema/option-values.ts';
import { anyText, lazy, matching, strictObject } from '../../shared/schema/schema.ts';
import { optionsOf } from '../schemes/options.ts';
import { claimLost, type DedupeStore, type DedupeTimes, timeFields, timesOf } from './dedupe.ts';

/** Options of `redisDedupe`. */
export interface RedisDedupeOptions extends DedupeTimes {
  /** Sends one command to Redis with your client and resolves with the reply: text, a number or null. */
  readonly command: (...args: [command: string, ...values: string[]]) => Promise<unknown>;
  /** Put before every key; `webhook:` by default. */
  readonly prefix?: string;
}

const redisOptions = /* @__PURE__ */ lazy(() =>
  matching<RedisDedupeOptions>()(
    strictObject({
      ...timeFields(),
      command: functionOf<RedisDedupeOptions['command']>(
        'must be a function such as (...args) => client.sendCommand(args)',
      ),
      prefix: z.optional(anyText()),
    }),
  ),
);

/**
 * Creates a store that deduplicates for any number of processes, with Redis 2.6 or later, or Valkey. Claiming,
 * committing and releasing are one script each, which Redis runs atomically: of many processes exactly one gets a claim,
 * and a slow handler cannot overwrite the claim of another.
 *
 * Redis can lose its last writes in a failover and evicts keys under `maxmemory` unless the policy is `noeviction`. An
 * event whose key is lost is handled again.
 *
 * @param options - `command` of your client; `prefix`; `ttl` and `claimTtl` in milliseconds.
 * @returns A `DedupeStore`. It rejects when the command does, and the receiver responds with 503.
 * @throws ConfigurationError when `command` is not a function or a time is too short.
 * @example
 * ```ts
 * import { createWebhookReceiver, redisDedupe, standardWebhooks } from 'stablecoin-payments/webhooks';
 *
 * // client is that of node-redis. With ioredis: command: (name, ...values) => client.call(name, ...values)
 * const receiver = (client: { sendCommand(args: string[]): Promise<unknown> }) =>
 *   createWebhookReceiver({
 *     verifier: standardWebhooks({ secret: () => process.env.WEBHOOK_SECRET }),
 *     dedupe: redisDedupe({ command: (...args) => client.sendCommand(args) }),
 *   });
 * ```
 */
export function redisDedupe(options: RedisDedupeOptions): DedupeStore {
  const own = optionsOf('redisDedupe', redisOptions(), options);
  const { command, prefix = 'webhook:' } = own;
  const { ttl, claimTtl } = timesOf(own);
  const keyOf = (eventId: string): string => prefix + eventId;
  const run = async (...args: [command: string, ...values: string[]]): Promise<string> => {
    try {
      return replyText(await command(...args));
    } catch (error) {
      throw withCode(error);
    }
  };

  return {
    claimTtl,
    async claim(eventId, owner) {
      const values = [claimOf(owner), redisMilliseconds(claimTtl)];
      const found = await run('EVAL', claimScript, '1', keyOf(eventId), ...values);
      if (found === 'OK') return 'claimed';
      if (found.startsWith(committed)) return 'committed';
      if (found.startsWith('claimed ')) return 'in-progress';
      throw noReply();
    },
    async commit(eventId, owner) {
      const values = [claimOf(owner), `${committed} ${owner}`, redisMilliseconds(ttl)];
      if ((await run('EVAL', commitScript, '1', keyOf(eventId), ...values)) !== '1') throw claimLost();
    },
    async release(eventId, owner) {
      await run('EVAL', releaseScript, '1', keyOf(eventId), claimOf(owner));
    },
  };
}

const committed = 'committed';
const claimOf = (owner: string): string => `claimed ${owner}`;
const redisMilliseconds = (time: number): string => String(Math.ceil(time));

// The owner's own claim is renewed, also where a client that reconnects sends the command twice.
const claimScript = `
local found = redis.call('GET', KEYS[1])
if found and found ~= ARGV[1] then return found end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 'OK'`;

const commitScript = `
local found = redis.call('GET', KEYS[1])
if found and found ~= ARGV[1] and found ~= ARGV[2] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return 1`;

const releaseScript = `
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0`;

/** Redis has no field for the code of an error: a reply begins with it, and a script's names it within. */
function withCode(error: unknown): unknown {
  const message = error instanceof Error ? error.message : '';
  const code = (/ -([A-Z]+) /.exec(message) ?? /^([A-Z]{3,}) /.exec(message))?.[1];
  if (code === undefined) return error;
  return Object.assign(new Error('Redis refused the command.', { cause: error }), { code });
}

/** The reply as text. Clients may give bytes or numbers; anything else, such as an Error in place of a reply, throws. */
function replyText(reply: unknown): string {
  if (typeof reply === 'string') return reply;
  if (typeof reply === 'number' || typeof reply === 'bigint') return String(reply);
  if (reply instanceof Uint8Array) return new TextDecoder().decode(reply);
  throw reply instanceof Error ? reply : noReply();
}

const noReply = (): Error => new Error('The command function of redisDedupe resolved with no reply.');
