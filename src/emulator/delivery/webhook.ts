import type { EmulatorWebhookOptions } from '../options.ts';
import { type Duration, toMilliseconds } from '../state/clock.ts';
import type { Ids } from '../state/ids.ts';
import type { World } from '../state/world.ts';
import { WebhookDelivery } from './delivery.ts';
import { EventSigner } from './send-event.ts';

/** Nine attempts within 24 hours, with growing waits, as most services make them. */
const DELAYS: readonly Duration[] = ['5s', '1m', '5m', '30m', '2h', '5h', '8h', '8h'];

export type Webhook = NonNullable<ReturnType<typeof webhookOf>>;

/** The webhook of the options, with a secret in any case: what is delivered is always signed. */
export function webhookOf(
  options: EmulatorWebhookOptions | undefined,
  { world, stored }: { world: World; stored: () => Promise<void> },
) {
  if (options === undefined) return undefined;
  const { url, secret = secretOf(world.ids), timeout = 5000, onAttempt = () => {} } = options;
  const signer = new EventSigner(world, secret);
  const receiver = {
    url,
    signer,
    timeout: toMilliseconds(timeout, 'webhook.timeout'),
    fetch: options.fetch ?? ((address: string, init: RequestInit) => fetch(address, init)),
  };
  const { retryDelays = DELAYS, retryClientErrors = false } = options;
  const delays = retryDelays.map((delay) => toMilliseconds(delay, 'webhook.retryDelays'));
  /** The scheme and key that verify the deliveries, as in `GET /_emulator/webhook`. */
  const verification = async () => {
    const scheme = world.dialect.webhookScheme;
    const isToken = scheme === 'jwt';
    return {
      url,
      scheme,
      // A secret that was given is not shown.
      secret: isToken || options.secret !== undefined ? null : secret,
      publicKey: isToken ? (await signer.keys()).publicKey : null,
    };
  };
  return {
    secret,
    signer,
    verification,
    delivery: new WebhookDelivery({ world, receiver, delays, retryClientErrors, onAttempt, stored }),
  };
}

function secretOf(ids: Ids): string {
  const hex = ids.hex('webhook-secret', 48);
  const bytes = hex.match(/../g)?.map((pair) => String.fromCharCode(Number.parseInt(pair, 16))) ?? [];
  return `whsec_${btoa(bytes.join(''))}`;
}
