import { isRecord, jsonIn } from '../../../shared/values.ts';
import type { RequestRecord } from '../../options.ts';
import { UUID } from '../../reading/request-body.ts';
import type { Exchange } from '../exchange.ts';
import { textOfResponse } from '../respond.ts';
import { type KeptExchange, LONGEST_KEPT } from './request-log.ts';

/** A finished exchange as the request log keeps it. */
export function recordOf(
  request: Request,
  response: Response,
  exchange: Exchange,
  { at, duration }: Pick<RequestRecord, 'at' | 'duration'>,
): { record: Omit<RequestRecord, 'id'>; kept: KeptExchange } {
  const lost = exchange.delivery === 'reset' || exchange.delivery === 'stall-headers';
  const { requestText } = exchange;
  const responseText = textOfResponse(response) ?? '';
  const record = {
    at,
    method: request.method,
    path: new URL(request.url).pathname.slice(0, 500),
    operation: exchange.operation ?? null,
    ...payloadOf(requestText),
    status: lost ? null : response.status,
    error: lost || response.status < 400 ? null : errorLine(responseText),
    fault: exchange.fault?.kind ?? null,
    duration,
  };
  const kept = {
    url: request.url,
    headers: [...request.headers],
    body: (requestText?.length ?? 0) > LONGEST_KEPT ? undefined : (requestText ?? null),
    responseHeaders: lost ? [] : [...response.headers],
    responseBody: lost ? null : startOfText(responseText),
    replayOf: exchange.replayOf ?? null,
  };
  return { record, kept };
}

/** The start of a text. It is copied, since a slice would keep the whole text in memory. */
function startOfText(text: string): string {
  return text.length <= LONGEST_KEPT ? text : structuredClone(text.slice(0, LONGEST_KEPT));
}

/** The requestId and the amount of a body, where they are such: other texts may be secrets in the wrong field. */
function payloadOf(text: string | undefined): { requestId: string | null; amount: string | null } {
  const body = text === undefined || text.length > LONGEST_KEPT ? undefined : jsonIn(text);
  if (!isRecord(body)) return { requestId: null, amount: null };
  const { requestId, source, destination } = body;
  const parts = [body, source, destination].filter(isRecord);
  const place = parts.find((part) => typeof part.amount === 'number');
  const currency = place?.currency ?? parts.find((part) => typeof part.currency === 'string')?.currency;
  const unit = typeof currency === 'string' && /^[\w.]{1,12}$/.test(currency) ? ` ${currency}` : '';
  return {
    requestId: typeof requestId === 'string' && UUID.test(requestId) ? requestId : null,
    amount: place === undefined ? null : `${place.amount}${unit}`,
  };
}

/** The refusal in a line, whatever the shape of its body: the name, and the sentence. */
function errorLine(text: string): string | null {
  const body = jsonIn(text);
  if (!isRecord(body)) return null;
  const inner = isRecord(body.error) ? body.error : body;
  const parts = [inner.code, inner.error, inner.message, inner.errorDetails];
  return (
    parts
      .filter((part) => typeof part === 'string')
      .join(': ')
      .slice(0, 500) || null
  );
}
