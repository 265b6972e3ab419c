import { type Reporter, safeName } from '../report.ts';
import { type DeliveryKeys, readDelivery } from './webhook-delivery.ts';
import { schemeOf } from './webhook-schemes.ts';

/** Checks a captured delivery: how it is signed, and which options of a receiver accept it. */
export async function checkWebhook(
  { report, on }: Reporter,
  text: string,
  keys: DeliveryKeys,
): Promise<void> {
  const say = on('webhook');
  const delivery = readDelivery(text);
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
  if (scheme.option !== undefined) report.options.verifier = scheme.option;
  say[scheme.level](scheme.message, scheme.details);
}
