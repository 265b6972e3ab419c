import { afterEach, beforeEach, vi } from 'vitest';
import {
  createWebhookReceiver,
  standardWebhooks,
  type WebhookHandlers,
  type WebhookReceiverOptions,
} from '../../src/webhooks/index.ts';
import { secret } from './support.ts';

/** Collects the lines that a test writes to `console.error`, which then prints nothing. Call it once in a file. */
export function collectLog(): string[] {
  const lines: string[] = [];
  beforeEach(() => {
    lines.length = 0;
    vi.spyOn(console, 'error').mockImplementation((line) => lines.push(String(line)));
  });
  afterEach(() => vi.restoreAllMocks());
  return lines;
}

/** The handler of a receiver of Standard Webhooks, unless `options` say otherwise. */
export const receiving = (handlers: WebhookHandlers, options: Partial<WebhookReceiverOptions> = {}) =>
  createWebhookReceiver({ verifier: standardWebhooks({ secret }), ...options }).handler(handlers);
