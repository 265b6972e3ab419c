import type { Context } from 'hono';
import { readText, requestJson } from '../reading/json.ts';
import type { Fault } from '../state/faults.ts';
import type { Access } from './access.ts';

/** The delivery of a response: complete, or with a network fault. */
export type Delivery = 'whole' | 'reset' | 'stall-headers' | 'stall-body' | 'cut-body';

/** The data of one exchange beside its request and its response. */
export interface Exchange extends Access {
  operation?: string;
  fault?: Fault;
  /** The body as it was read. */
  requestText?: string;
  /** The id of the original request, if this one is a replay. */
  replayOf?: string;
  /** The id under which the exchange was logged. */
  loggedAs?: string;
  /** True if the exchange stays out of the request log. */
  quiet?: boolean;
  delivery: Delivery;
  latency: number;
}

/** An exchange without faults in which the caller may use any host. */
export const newExchange = (): Exchange => ({ loopbackOnly: false, delivery: 'whole', latency: 0 });

/** The bindings of Hono. */
export type Env = { Bindings: Exchange };
export type HttpContext = Context<Env>;

/** The largest body in bytes, where a route does not say another. */
export const BODY_LIMIT = 1024 * 1024;

/** The JSON body, `undefined` where it is empty. Any content type is tolerated, as long as the content is JSON. */
export async function jsonBodyOf(
  { req, env }: HttpContext,
  method: string,
  limit: number,
  depth?: number,
): Promise<unknown> {
  if (method === 'GET') return undefined;
  const text = await readText(req.raw, limit);
  env.requestText = text;
  return text.trim() === '' ? undefined : requestJson(text, depth);
}
