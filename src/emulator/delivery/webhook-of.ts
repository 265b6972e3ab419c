import type { WebhookOptions } from '../options.ts';
import type { Ids } from '../state/ids.ts';
import { WebhookDelivery } from './delivery.ts';

export interface Webhook {
  secret: string;
  delivery: WebhookDelivery;
}

/** The webhook of the options, with a secret in any case: what is delivered is always signed. */
export function webhookOf(
  options: WebhookOptions | undefined,
  ids: Ids,
  queueLimit: number,
): Webhook | undefined {
  if (options === undefined) return undefined;
  const secret = options.secret ?? `whsec_${base64Of(ids.hex('webhook-secret', 48))}`;
  return { secret, delivery: new WebhookDelivery({ ...options, secret, queueLimit }) };
}

function base64Of(hex: string): string {
  const bytes = hex.match(/../g)?.map((pair) => String.fromCharCode(Number.parseInt(pair, 16))) ?? [];
  return btoa(bytes.join(''));
}
