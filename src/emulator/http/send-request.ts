import * as z from 'zod/mini';
import { jsonIn } from '../../shared/values.ts';
import type { RequestRecord } from '../options.ts';
import { ServiceProblem } from '../problem.ts';
import { check, objectField, oneOfTexts, textField } from '../reading/check.ts';
import type { Access } from './access.ts';
import { type Exchange, newExchange, textOfResponse } from './exchange.ts';

/** Responds to a request as to any other, and returns its record in the request log. */
export type RespondAndLog = (
  request: Request,
  exchange: Exchange,
) => Promise<{ response: Response; logged: RequestRecord | undefined }>;

const SENT_PATH = { error: 'must be a path of the service, such as /v2/onramps' };
const newRequest = objectField({
  method: oneOfTexts(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  path: textField.check(z.refine((path) => /^\/(?!\/|_emulator(?:[/?]|$))/.test(path), SENT_PATH)),
  body: z.optional(z.unknown()),
});

/** A request to the service that was made, and the response to it. */
export interface ResentRequest {
  request: RequestRecord;
  response: { status: number; body: unknown };
}

/** Sends a request to the service from the emulator's own page, which needs no token of the service. */
export async function sendNew(
  given: unknown,
  origin: string,
  respond: RespondAndLog,
): Promise<ResentRequest> {
  const { method, path, body } = check(newRequest, given);
  const content = body === undefined ? {} : { body: JSON.stringify(body) };
  const headers = body === undefined ? {} : { headers: { 'content-type': 'application/json' } };
  const request = new Request(`${origin}${path}`, { method, ...headers, ...content });
  return sendWith(respond, request, { ...newExchange(), trusted: true });
}

/** Sends a logged request again. It meets the same rules of access. */
export function sendAgain(
  { request, trusted }: { request: Request; trusted: boolean },
  { loopbackOnly, token }: Access,
  respond: RespondAndLog,
): Promise<ResentRequest> {
  return sendWith(respond, request, { ...newExchange(), loopbackOnly, token, trusted });
}

async function sendWith(
  respond: RespondAndLog,
  request: Request,
  exchange: Exchange,
): Promise<ResentRequest> {
  const { response, logged } = await respond(request, exchange);
  if (logged === undefined) throw new ServiceProblem(409, 'NOT_SENT_AGAIN', 'The request was not logged');
  const body = jsonIn(textOfResponse(response) ?? '') ?? null;
  return {
    request: logged,
    response: { status: response.status, body: logged.status === null ? null : body },
  };
}
