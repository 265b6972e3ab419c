import { notFound, ServiceProblem } from '../../problem.ts';
import type { KeptExchange, RequestLog } from './request-log.ts';

/** A logged request of the service, as it was sent; refuses one that cannot be sent again. */
export function keptRequest(requests: RequestLog, id: string): KeptExchange {
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
