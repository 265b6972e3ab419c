import { notFound, ServiceProblem } from '../../problem.ts';
import type { Exchange } from '../exchange.ts';
import type { KeptExchange, RequestLog } from './request-log.ts';

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

/** A logged request of the service, as it was sent; refuses one that cannot be sent again. */
function keptRequest(requests: RequestLog, id: string): KeptExchange {
  if (requests.get(id) === undefined) throw notFound('request', id);
  const kept = requests.kept(id);
  if (kept !== undefined && kept.body !== undefined && new URL(kept.url).pathname.startsWith('/v2/'))
    return kept;
  throw new ServiceProblem(
    409,
    'REQUEST_NOT_KEPT',
    'Only one of the latest 500 requests to /v2 with a body of at most 64 KB can be sent again',
  );
}
