import type { EmulatorEvent } from '../service/records/index.ts';
import type { AttemptResult } from './retry-schedule.ts';
import type { EventSigner } from './signing.ts';

/** The longest part of a response body that is kept, in characters. */
const SHOWN_BODY = 2000;

export interface Receiver {
  url: string;
  signer: EventSigner;
  timeout: number;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
}

/** Sends an event once. It never rejects: no response is a result, too. */
export async function sendEvent(
  { url, signer, timeout, fetch }: Receiver,
  event: EmulatorEvent,
  stop: AbortSignal,
): Promise<AttemptResult> {
  const limit = AbortSignal.timeout(timeout);
  const result: AttemptResult = {
    status: null,
    error: null,
    retryAfter: null,
    responseBody: null,
    requestHeaders: [],
    requestBody: '',
    date: null,
  };
  try {
    const { body, headers } = await signer.sign(event);
    result.requestHeaders = Object.entries(headers);
    result.requestBody = body;
    const signal = AbortSignal.any([stop, limit]);
    const response = await fetch(url, { method: 'POST', body, headers, redirect: 'manual', signal });
    result.status = response.status;
    result.retryAfter = response.headers.get('retry-after');
    result.date = response.headers.get('date');
    result.responseBody = '';
    result.responseBody = await startOf(response);
  } catch (error) {
    if (result.status === null)
      result.error = limit.aborted ? `no response in ${timeout} ms` : reasonOf(error);
  }
  return result;
}

async function startOf(response: Response): Promise<string> {
  if (response.body === null) return '';
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  while (text.length < SHOWN_BODY) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value, { stream: true });
  }
  await reader.cancel();
  return text.slice(0, SHOWN_BODY);
}

/** The code of a network failure, such as `ECONNREFUSED`, or else the error's message. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause.code;
  return cause instanceof Error ? cause.message.slice(0, 200) : 'the request failed';
}
