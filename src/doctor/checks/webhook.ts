import { isRecord } from '../../shared/values.ts';
import { note, type Report, safeName, safeWord, shapeOf } from '../report.ts';
import type { WebhookKeys } from './webhook-candidates.ts';
import { type Delivery, readDelivery } from './webhook-delivery.ts';
import { schemeOf } from './webhook-schemes.ts';

/** Checks a captured delivery: how it is signed, which options of a receiver accept it, and what it carries. */
export async function checkWebhook(report: Report, text: string, keys: WebhookKeys): Promise<void> {
  const delivery = readDelivery(text);
  if (delivery === undefined) {
    note(
      report,
      'webhook',
      'failure',
      'The file is not a delivery. Save an HTTP request as text (headers, an empty line, the body), or JSON with `headers` and `body`.',
    );
    return;
  }
  const scheme = await schemeOf(delivery, keys);
  if (scheme === undefined) {
    const headers = [...delivery.headers.keys()].map(safeName);
    note(report, 'webhook', 'failure', 'No signature was found in the headers.', headers);
  } else {
    report.webhookScheme = scheme.name;
    if (scheme.option !== undefined) report.options.verifier = scheme.option;
    note(report, 'webhook', scheme.level, scheme.message, scheme.details);
  }
  checkEnvelope(report, delivery);
}

function checkEnvelope(report: Report, { headers, event }: Delivery): void {
  if (!isRecord(event)) {
    note(report, 'webhook', 'failure', `The body must be a JSON object, but is ${shapeOf(event)}.`);
    return;
  }
  const kind = safeWord(event.eventType);
  if (typeof event.eventType !== 'string')
    note(report, 'webhook', 'failure', 'The body has no `eventType`.', [shapeOf(event)]);
  else
    note(
      report,
      'webhook',
      'ok',
      kind === undefined ? 'The event has a kind.' : `The event is of the kind ${kind}.`,
      [shapeOf(event)],
    );
  const hasId =
    ['eventId', 'id'].some((name) => typeof event[name] === 'string') ||
    headers.has('webhook-id') ||
    headers.has('svix-id');
  if (!hasId)
    note(
      report,
      'webhook',
      'warning',
      'The event has no id. Give the receiver the option `eventId`, so that a repeated delivery is noticed.',
    );
}
