import type { Dialect } from '../dialect/dialect.ts';
import { errorBody } from '../dialect/errors.ts';
import { present } from '../dialect/wire.ts';
import { catchUp } from '../service/due-tasks.ts';
import { type Fault, type FaultList, USUAL_LATENCY } from '../state/faults.ts';
import { orderNow } from '../state/history.ts';
import type { World } from '../state/world.ts';
import type { ServedRoute } from './custom-routes.ts';
import {
  type Answer,
  BODY_LIMIT,
  bodyText,
  type Exchange,
  type ExchangeDelivery,
  type HttpContext,
  jsonBodyOf,
  problem,
  respond,
} from './exchange.ts';
import { spoil } from './fault-effects.ts';

/** The parts that the routes of the service use. */
export interface ServiceParts {
  readonly world: World;
  readonly faults: FaultList;
}

/** Responds to a call of a route of the service, with the fault that is due, if any. */
export async function serve(
  context: HttpContext,
  route: ServedRoute,
  { world, faults }: ServiceParts,
): Promise<Response> {
  const exchange = context.env;
  const { dialect } = world;
  exchange.operation = route.operation;
  // The body is read before anything is decided, so that the order of arrival is the order of the ledger.
  const readBody = await jsonBodyOf(context, route.method, BODY_LIMIT).then(
    (value) => () => value,
    (error: unknown) => () => {
      if (route.anyBody !== true) throw error;
      return undefined;
    },
  );
  catchUp(world);
  const fault = faults.take(route.operation);
  if (fault !== undefined) exchange.fault = fault;
  exchange.latency = fault?.latency ?? (fault?.kind === 'latency' ? USUAL_LATENCY : 0);
  if (fault?.kind === 'reset-before-commit') return withDelivery(exchange, 'reset', new Response(null));
  if (fault?.kind === 'status' && fault.commit !== true) return faultStatus(fault, dialect);
  const after = orderNow(world);
  const answer = attempt(dialect, () => {
    const { req } = context;
    const query = new URL(req.url).searchParams;
    const made = route.handle({ world, query, body: readBody(), path: (name) => req.param(name) ?? '' });
    return 'json' in made ? { ...made, json: present(dialect, made.json) } : made;
  });
  exchange.handled = { status: answer.status, after, until: orderNow(world) };
  if (fault === undefined) return respond(answer);
  if (fault.kind === 'status') return faultStatus(fault, dialect);
  if (fault.kind === 'reset-after-commit') return withDelivery(exchange, 'reset', new Response(null));
  if (fault.kind === 'latency') return respond(answer);
  if (fault.kind === 'stall-headers' || fault.kind === 'stall-body' || fault.kind === 'cut-body') {
    return withDelivery(exchange, fault.kind, respond(answer));
  }
  const text = bodyText(answer);
  const spoilt = answer.status < 300 && text !== '' ? spoil(fault, route.operation, text, dialect) : text;
  return respond({ ...answer, text: spoilt });
}

function attempt(dialect: Dialect, make: () => Answer): Answer {
  try {
    return make();
  } catch (error) {
    return problem(error, dialect);
  }
}

function withDelivery(exchange: Exchange, delivery: ExchangeDelivery, response: Response): Response {
  exchange.delivery = delivery;
  return response;
}

function faultStatus(fault: Fault, dialect: Dialect): Response {
  const status = fault.status ?? (fault.retryAfter === undefined ? 500 : 503);
  const headers: Record<string, string> =
    fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) };
  // These carry no body, and a Response refuses one.
  if (status === 304) return new Response(null, { status, headers });
  // What the operation did, or may have done, is not refused: such a fault has a name that proves nothing.
  const refusal = fault.commit === true ? undefined : REFUSALS.get(status);
  const code = refusal ?? (status >= 500 ? 'INTERNAL_ERROR' : 'INJECTED_FAULT');
  return respond({
    status,
    json: errorBody(dialect, { status, code, message: 'Refused by an injected fault' }),
    headers,
  });
}

/** The documented names of refusals by status. No other status has one that fits every operation. */
const REFUSALS = new Map([
  [400, 'FIELD_VALIDATION_ERROR'],
  [401, 'UNAUTHORIZED'],
  [403, 'USER_FROZEN'],
  [404, 'TRANSACTION_NOT_FOUND'],
  [405, 'METHOD_NOT_ALLOWED'],
  [422, 'FIELD_VALIDATION_ERROR'],
]);
