import { type Faults, sandboxService, USER } from './sandbox-service.ts';
import { inProcess, type PlainResponse, type Run, run } from './support.ts';

export type Json = Record<string, unknown>;
export type Instead = NonNullable<Faults['instead']>;
export type Request = Parameters<Instead>[0];

/** Runs the doctor with writes against a service. */
export async function examine(instead: Instead, faults: Faults = {}): Promise<Run> {
  return run({
    args: ['--json', '--sandbox-writes', '--yes'],
    env: { PAYMENTS_USER_ID: USER },
    fetch: inProcess(sandboxService({ ...faults, instead }).handle),
  });
}

export const isCreate = ({ method, path }: Pick<Request, 'method' | 'path'>) =>
  method === 'POST' && /^\/v2\/(?:wallets\/|onramps$)/.test(path);

export const isTransfer = ({ method, path }: Request) =>
  method === 'POST' && path === '/v2/wallets/transfers';

/** Changes the details of a record that is the body of a response. */
export function changed(
  { body, ...rest }: PlainResponse,
  change: (details: Json) => void,
): PlainResponse & { body: { transferDetails: Json } } {
  const record: { transferDetails: Json } = JSON.parse(JSON.stringify(body));
  if (record.transferDetails !== undefined) change(record.transferDetails);
  return { ...rest, body: record };
}

/** Changes the records of the creates at a path. */
export const creating =
  (path: RegExp, change: (details: Json, request: Request) => void): Instead =>
  (request, right) =>
    isCreate(request) && path.test(request.path)
      ? changed(right(), (details) => change(details, request))
      : undefined;

/** Makes another payment for the key of a request, and shows the key that was sent. */
export function another(request: Request, right: () => PlainResponse): PlainResponse {
  const { requestId } = request.body;
  request.body.requestId = crypto.randomUUID();
  return changed(right(), (details) => Object.assign(details, { requestId }));
}

/** Counts the requests with each key, from 1, and the keys. */
export function counter(): (request: Request) => { count: number; keys: number } {
  const counts = new Map<unknown, number>();
  return ({ body: { requestId } }) => {
    const count = (counts.get(requestId) ?? 0) + 1;
    counts.set(requestId, count);
    return { count, keys: counts.size };
  };
}

/** Makes another payment for a key that comes again after another one. */
export function forgetful(applies: (request: Request) => boolean): Instead {
  let last: unknown;
  const seen = new Set<unknown>();
  return (request, right) => {
    if (!applies(request)) return undefined;
    const { requestId } = request.body;
    const isForgotten = seen.has(requestId) && requestId !== last;
    last = requestId;
    seen.add(requestId);
    return isForgotten ? another(request, right) : undefined;
  };
}
