import { ConfigurationError, isPaymentsError } from '../../errors/index.ts';
import type { WebhookEvent } from '../../types/webhook-event.ts';
import { refusal, requireOptions } from '../schemes/verifier.ts';
import { type Claim, claimEvent } from './claim.ts';
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

/** The context of a platform such as Workers, to finish work after the response. */
interface WaitUntilContext {
  waitUntil(promise: Promise<unknown>): void;
}

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
  requireOptions('handler', handling, { acknowledge: true });
  const { acknowledge = 'after-handling' } = handling;
  const dispatch = dispatcher(handlers);
  if (acknowledge !== 'after-handling' && acknowledge !== 'before-handling') {
    throw new ConfigurationError('acknowledge must be "after-handling" or "before-handling".');
  }

  return async (incoming) => {
    if (incoming.method !== 'POST') {
      const words = 'The request is not a POST. Webhooks are sent with POST.';
      return refuse(core, refusal('webhook_method_not_allowed', words, { status: 405 }), { allow: 'POST' });
    }
    let delivery: Delivery;
    let background: WaitUntilContext | undefined;
    try {
      background = acknowledge === 'before-handling' ? requireWaitUntil(incoming.platform) : undefined;
      delivery = await core.open(await incoming.readBody(), incoming.headers);
    } catch (error) {
      return refuse(core, error);
    }
    const taken = await claim(core, delivery);
    if ('status' in taken) return taken;
    const handling = handleClaimed(core, dispatch, delivery, taken);
    if (background === undefined) return handling;
    try {
      background.waitUntil(handling);
    } catch (error) {
      // The platform does not wait, so the sender has to.
      core.report(error, { status: 500, event: delivery.event });
      return handling;
    }
    return reply(202, { received: true });
  };
}

/** A delivery without a store is never a duplicate, and cannot lose its claim. */
const unclaimed = (): Claim => ({
  signal: new AbortController().signal,
  commit: async () => {},
  release: async () => {},
});

/** Claims the event, or returns the response where it must not be handled now. */
async function claim(core: ReceiverCore, delivery: Delivery): Promise<Claim | Reply> {
  if (core.dedupe === undefined) return unclaimed();
  try {
    const found = await claimEvent(core.dedupe, dedupeKey(delivery), core.storeTimeoutSeconds);
    if (found === 'committed') return reply(200, { received: true, duplicate: true });
    if (found !== 'in-progress') return found;
    const words = 'Another delivery of the event is being handled. The sender is asked to retry.';
    core.report(refusal('webhook_in_progress', words, { status: 503 }), {
      status: 503,
      event: delivery.event,
    });
    return reply(503, failure('webhook_in_progress', 'The event is being handled. Retry later.'));
  } catch (error) {
    core.report(error, { status: 503, event: delivery.event });
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
  claimed: Claim,
): Promise<Reply> {
  const context = { id, headers, signal: claimed.signal };
  let late: boolean;
  try {
    late = (await core.guard?.isOutOfOrder(event)) ?? false;
    await dispatch(event, context, late);
  } catch (error) {
    core.report(error, { status: 500, event });
    await tell(core, event, 500, claimed.release);
    return reply(500, failure('webhook_handler_failed', 'The event was not handled.'));
  }
  // The event is handled: a store that fails now must not make the sender deliver it again.
  if (!late) await tell(core, event, 200, () => core.guard?.note(event));
  await tell(core, event, 200, claimed.commit);
  return reply(200, late ? { received: true, outOfOrder: true } : { received: true });
}

/** Events of different kinds are never duplicates of each other, whatever a sender puts in `id`. */
const dedupeKey = ({ event, id }: Delivery): string => `${event.eventType}:${id}`;

/** Tells a store, and reports its failure without letting it change the response. */
async function tell(
  core: ReceiverCore,
  event: WebhookEvent,
  status: number,
  action: () => unknown,
): Promise<void> {
  try {
    await action();
  } catch (error) {
    core.report(error, { status, event });
  }
}

function requireWaitUntil(platform: unknown): WaitUntilContext {
  if (isWaitUntilContext(platform)) return platform;
  throw new ConfigurationError(
    'acknowledge: "before-handling" needs the platform\'s waitUntil: pass its context as the second argument.',
  );
}

const isWaitUntilContext = (value: unknown): value is WaitUntilContext =>
  typeof value === 'object' &&
  value !== null &&
  'waitUntil' in value &&
  typeof value.waitUntil === 'function';

/**
 * Reports a delivery that cannot be handled. The sender is told why it was refused; of the receiver's own faults it is
 * told only that there is one.
 */
export function refuse(core: ReceiverCore, error: unknown, headers: Record<string, string> = {}): Reply {
  const status = httpStatusOf(error);
  core.report(error, { status });
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
