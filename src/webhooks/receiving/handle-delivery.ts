import * as z from 'zod/mini';
import { ConfigurationError, isPaymentsError } from '../../shared/errors/index.ts';
import { oneFrom } from '../../shared/schema/option-values.ts';
import { lazy, matching, strictObject } from '../../shared/schema/schema.ts';
import { optionsOf } from '../schemes/options.ts';
import { refusal } from '../schemes/verifier.ts';
import { type Claim, claimEvent } from './claim.ts';
import type { WebhookErrorContext } from './console-reporter.ts';
import { claimedIdOf } from './delivery-id.ts';
import { type Dispatch, dispatcher, type WebhookHandlers } from './dispatch.ts';
import { type Delivery, httpStatusOf, type ReceiverCore } from './receiver-core.ts';

/** The time at which a delivery is acknowledged. */
export interface WebhookHandlingOptions {
  /**
   * `after-handling` (default): when a handler fails, the sender retries. `before-handling`: the receiver responds with
   * 202 as soon as the event is verified and claimed, and runs the handler under `waitUntil`. When the handler fails,
   * the sender does not retry, so only put the event into a durable queue there.
   */
  readonly acknowledge?: 'after-handling' | 'before-handling';
}

const handlingOptions = /* @__PURE__ */ lazy(() =>
  matching<WebhookHandlingOptions>()(
    strictObject({ acknowledge: z.optional(oneFrom(['after-handling', 'before-handling'])) }),
  ),
);

/** The response, before it takes the shape of a framework's. */
export interface Reply {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A request as far as webhooks are concerned. `readBody` gives the raw bytes, or throws the refusal. */
export interface IncomingDelivery {
  readonly method: string;
  readonly headers: unknown;
  readBody(): unknown;
  /** The platform's context, where there is one. */
  readonly platform?: unknown;
}

/** Seconds after which a sender may try again what a 503 refused. */
const retryAfter = '10';

/** From a request to a reply: verify, claim, handle, commit or release. The promise never rejects. */
export function deliveryHandler(
  core: ReceiverCore,
  handlers: WebhookHandlers,
  handling: WebhookHandlingOptions,
): (incoming: IncomingDelivery) => Promise<Reply> {
  const { acknowledge = 'after-handling' } = optionsOf('handler', handlingOptions(), handling);
  const dispatch = dispatcher(handlers);

  return async (incoming) => {
    if (incoming.method !== 'POST') {
      const words = 'The request is not a POST. Webhooks are sent with POST.';
      return refuse(core, refusal('webhook_method_not_allowed', words, { status: 405 }), {
        headers: { allow: 'POST' },
        id: claimedIdOf(incoming.headers, undefined),
      });
    }
    const waitUntil = waitUntilOf(incoming.platform);
    let delivery: Delivery;
    let body: unknown;
    try {
      if (acknowledge === 'before-handling' && waitUntil === undefined) {
        throw new ConfigurationError(
          'acknowledge: "before-handling" needs the platform\'s waitUntil: pass its context as the second argument.',
        );
      }
      body = await incoming.readBody();
      delivery = await core.open(body, incoming.headers);
    } catch (error) {
      return refuse(core, error, { id: claimedIdOf(incoming.headers, body) });
    }
    const taken = await claim(core, delivery);
    if (taken !== undefined && 'status' in taken) return taken;
    /** Returns false where the platform does not wait. */
    const inBackground = (work: Promise<unknown>): boolean => {
      try {
        waitUntil?.(work);
        return waitUntil !== undefined;
      } catch (error) {
        core.report(error, { status: 500, event: delivery.event, id: delivery.id });
        return false;
      }
    };
    const handled = handleClaimed(core, dispatch, delivery, taken, inBackground);
    return acknowledge === 'before-handling' && inBackground(handled)
      ? reply(202, { received: true })
      : handled;
  };
}

/** Claims the event, or returns the response where it must not be handled now. Without a store there is no claim. */
async function claim(core: ReceiverCore, { event, id }: Delivery): Promise<Claim | Reply | undefined> {
  if (core.dedupe === undefined) return undefined;
  const context = { status: 503, event, id, step: 'claim' } as const;
  try {
    // Events of different kinds are never duplicates of each other, whatever a sender puts in `id`.
    const key = `${event.eventType}:${id}`;
    const found = await claimEvent(core.dedupe, { key, id }, core.storeTimeout, core.handled);
    if (found === 'committed') return reply(200, { received: true, duplicate: true });
    if (found !== 'in-progress') return found;
    const words = 'Another delivery of the event is being handled. The sender is asked to retry.';
    core.report(refusal('webhook_in_progress', words, { status: 503 }), context);
    return reply(503, failure('webhook_in_progress', 'The event is being handled. Retry later.'));
  } catch (error) {
    core.report(error, context);
    return reply(
      503,
      failure('webhook_store_unavailable', 'The event cannot be claimed at present. Retry later.'),
    );
  }
}

async function handleClaimed(
  core: ReceiverCore,
  dispatch: Dispatch,
  { event, id, headers }: Delivery,
  claimed: Claim | undefined,
  inBackground: (work: Promise<unknown>) => boolean,
): Promise<Reply> {
  const report = (status: number, step: WebhookErrorContext['step']) => (error: unknown) =>
    core.report(error, { status, event, id, step });
  try {
    await dispatch(event, { id, headers, signal: claimed?.signal ?? new AbortController().signal });
  } catch (error) {
    report(500, 'handle')(error);
    await claimed?.release().catch(report(500, 'release'));
    return reply(500, failure('webhook_handler_failed', 'The event was not handled.'));
  }
  // The event is handled: a store that fails now must not make the sender deliver it again.
  const committed = await claimed?.commit(report(200, 'commit'));
  if (committed?.retrying !== undefined) inBackground(committed.retrying);
  return reply(200, { received: true });
}

/** The `waitUntil` of a platform such as Workers, to finish work after the response. */
function waitUntilOf(platform: unknown): ((work: Promise<unknown>) => void) | undefined {
  if (typeof platform !== 'object' || platform === null || !('waitUntil' in platform)) return undefined;
  const { waitUntil } = platform;
  return typeof waitUntil === 'function' ? (work) => waitUntil.call(platform, work) : undefined;
}

/**
 * Reports a delivery that cannot be handled. The sender is told why it was refused; of the receiver's own faults it is
 * told only that there is one.
 */
export function refuse(
  core: ReceiverCore,
  error: unknown,
  { headers = {}, id }: { headers?: Record<string, string>; id?: string | undefined } = {},
): Reply {
  const status = httpStatusOf(error);
  core.report(error, { status, ...(id !== undefined && { id }) });
  if (isPaymentsError(error) && status < 500)
    return reply(status, failure(error.code, error.message), headers);
  return reply(status, failure('webhook_receiver_failed', 'The receiver cannot take deliveries at present.'));
}

const failure = (code: string, message: string) => ({ error: { code, message } });

function reply(status: number, body: object, headers: Record<string, string> = {}): Reply {
  const again = status === 503 ? { 'retry-after': retryAfter } : {};
  return {
    status,
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...again, ...headers },
  };
}
