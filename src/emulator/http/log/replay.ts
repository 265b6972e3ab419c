import { notFound } from '../../problem.ts';
import type { Exchange } from '../exchange.ts';
import { keptRequest } from './kept-request.ts';
import type { RequestLog } from './request-log.ts';

/** A request of the log with its headers and bodies. Throws what the service responds where there is none. */
export function detailOf(requests: RequestLog, id: string) {
  const detail = requests.detail(id);
  if (detail === undefined) throw notFound('request', id);
  return detail;
}

/** Sends a request of the service again, as it was, and logs it as another one. */
export async function replay(
  id: string,
  requests: RequestLog,
  exchange: (request: Request, exchange: Exchange) => Promise<Response>,
): Promise<{ id: string; status: number | null }> {
  const { url, headers, body } = keptRequest(requests, id);
  const init = {
    method: detailOf(requests, id).method,
    headers,
    ...(typeof body === 'string' ? { body } : {}),
  };
  const about: Exchange = { loopbackOnly: false, delivery: 'whole', latency: 0, replayOf: id };
  await exchange(new Request(url, init), about);
  const { loggedAs = '' } = about;
  return { id: loggedAs, status: detailOf(requests, loggedAs).status };
}
