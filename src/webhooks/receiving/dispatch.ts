import { ConfigurationError } from '../../errors/index.ts';
import type { WebhookEvent } from '../../types/webhook-event.ts';
import { webhookEventTypes } from '../../types/webhook-event.ts';
import type { OpenWebhookHandler, WebhookContext, WebhookHandlers } from '../types.ts';

/** Passes an event to its handler. */
export type Dispatch = (event: WebhookEvent, context: WebhookContext) => Promise<void>;

/** Finds the handler of a kind: its own, else the longest wildcard's, else `otherwise`, else none. */
export function dispatcher(handlers: WebhookHandlers): Dispatch {
  const own = new Map<string, OpenWebhookHandler>();
  for (const [name, handler] of Object.entries(handlers)) {
    requireName(name);
    if (handler === undefined) continue;
    if (typeof handler !== 'function')
      throw new ConfigurationError(`The handler of ${name} is not a function.`);
    own.set(name, handler);
  }
  const wildcards = [...own.keys()]
    .filter((name) => name.endsWith('*'))
    .sort((left, right) => right.length - left.length);
  const { otherwise } = handlers;

  return async (event, context) => {
    const kind: string = event.eventType;
    const wildcard = wildcards.find((name) => kind.startsWith(name.slice(0, -1)));
    const handler = reserved.has(kind) ? undefined : own.get(kind);
    await (handler ?? (wildcard === undefined ? otherwise : own.get(wildcard)))?.(event, context);
  };
}

const reserved = new Set(['otherwise', 'outOfOrder']);

/** Refuses names that can only be a mistake: their events would be dropped in silence. */
function requireName(name: string): void {
  if (reserved.has(name)) return;
  const stem = name.replace(/\.\*$/, '');
  if (name !== '*' && (stem === '' || /[*\s]/.test(stem))) {
    throw new ConfigurationError(
      `${JSON.stringify(name)} is not an event kind. A wildcard is a kind's beginning and ".*", such as "ONRAMP.*".`,
    );
  }
  const meant = [...webhookEventTypes, ...reserved].find((known) => isSlip(name, known));
  if (meant !== undefined || !/[.*]|^[^a-z]+$/.test(name)) {
    throw new ConfigurationError(
      `There is no event kind ${JSON.stringify(name)}. ` +
        (meant === undefined
          ? 'Kinds look like "ONRAMP.CREATE"; "otherwise" takes every other event.'
          : `Did you mean ${JSON.stringify(meant)}? A wildcard takes kinds that differ by one letter.`),
    );
  }
}

/** Whether a name differs from a known one by its case alone, or by one letter. */
function isSlip(name: string, known: string): boolean {
  if (name === known) return false;
  if (name.toLowerCase() === known.toLowerCase()) return true;
  let start = 0;
  while (name[start] === known[start]) start += 1;
  const [rest, knownRest] = [name.slice(start), known.slice(start)];
  return rest.slice(1) === knownRest || rest === knownRest.slice(1) || rest.slice(1) === knownRest.slice(1);
}
