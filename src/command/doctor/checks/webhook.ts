import { isRecord, jsonIn } from '../../../shared/values.ts';
import type { Surroundings } from '../observed-call.ts';
import { safeName } from '../report.ts';
import { type DeliveryKeys, readDelivery } from './webhook-delivery.ts';
import { schemeOf } from './webhook-schemes.ts';

/** Checks a captured delivery: how it is signed, and which options of a receiver accept it. */
export async function checkWebhook(
  { report, on, seen }: Pick<Surroundings, 'report' | 'on' | 'seen'>,
  file: string,
  keys: DeliveryKeys,
): Promise<void> {
  const say = on('webhook');
  const delivery = readDelivery(file);
  if (delivery === undefined) {
    say.failure(
      'The file is not a delivery. Save an HTTP request as text (headers, an empty line, the body), or JSON with `headers` and `body`.',
    );
    return;
  }
  const scheme = await schemeOf(delivery, keys);
  if (scheme === undefined) {
    say.failure('No signature was found in the headers.', [...delivery.headers.keys()].map(safeName));
    return;
  }
  const [body = ''] = delivery.bodies;
  const event = jsonIn(body);
  seen.delivery = {
    webhookScheme: scheme.webhookScheme,
    eventType: isRecord(event) ? event.eventType : undefined,
  };
  if (scheme.option !== undefined) report.options.verifier = scheme.option;
  say[scheme.level](scheme.message, scheme.details);
}
