import { ConfigurationError } from '../../errors/index.ts';
import { webhookEventTypes } from '../../schemas/webhook-event.ts';
import type { WebhookHandlers } from '../types.ts';
import { isKnownEvent } from './events.ts';
import type { Delivery } from './verify-and-parse.ts';

/** Checks the handlers where they are given: a misspelt kind would otherwise wait for ever. */
export function requireHandlers(handlers: WebhookHandlers): void {
  const names: readonly string[] = [...webhookEventTypes, 'otherwise', 'outOfOrder'];
  for (const [name, handler] of Object.entries(handlers)) {
    if (!names.includes(name)) {
      throw new ConfigurationError(
        `There is no event kind ${JSON.stringify(name)}; kinds that are not documented go to "otherwise".`,
      );
    }
    if (handler !== undefined && typeof handler !== 'function') {
      throw new ConfigurationError(`The handler of ${name} is not a function.`);
    }
  }
}

/** Gives an event to the handler of its kind, else to `otherwise`, else to nobody. */
export async function dispatch(handlers: WebhookHandlers, { event, context }: Delivery): Promise<void> {
  const { otherwise } = handlers;
  if (!isKnownEvent(event)) {
    await otherwise?.(event, context);
    return;
  }
  switch (event.eventType) {
    case 'ACCOUNT.ONRAMP.CREATE':
      await (handlers[event.eventType] ?? otherwise)?.(event, context);
      return;
    case 'ACCOUNT.ONRAMP.UPDATE':
      await (handlers[event.eventType] ?? otherwise)?.(event, context);
      return;
    case 'TRANSFER.APPROVAL.PENDING':
      await (handlers[event.eventType] ?? otherwise)?.(event, context);
      return;
    case 'TRANSFER.APPROVAL.APPROVED':
      await (handlers[event.eventType] ?? otherwise)?.(event, context);
      return;
    case 'TRANSFER.APPROVAL.REJECTED':
      await (handlers[event.eventType] ?? otherwise)?.(event, context);
      return;
  }
}
