import type * as z from 'zod/mini';
import type { Dialect } from '../../dialect/dialect.ts';
import { knownRequestId } from '../../dialect/errors.ts';
import { present } from '../../dialect/wire.ts';
import { check, checkQuery, noBody, noQuery } from '../../reading/check.ts';
import type { OperationName } from '../../state/faults.ts';
import { noteUse, usedBefore } from '../../state/ledger.ts';
import type { World } from '../../state/world.ts';
import type { Answer } from '../exchange.ts';

/** One call of an operation, taken apart. */
export interface Call {
  world: World;
  /** The parts of the path, decoded. */
  path: (name: string) => string;
  query: URLSearchParams;
  /** The JSON body; `undefined` where there is none. */
  body: unknown;
}

/** One call whose body and query were checked. */
interface CheckedCall<B, Q> {
  world: World;
  path: (name: string) => string;
  query: Q;
  body: B;
  /** The body as it was sent. */
  sent: unknown;
}

/** One endpoint of the service. */
export interface Route {
  operation: OperationName;
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  /** A summary in one sentence. */
  summary: string;
  /** The schema of its body in a dialect; `noBody` where it takes none. */
  body: (dialect: Dialect) => z.ZodMiniType;
  /** The schema of its query in a dialect. */
  query: (dialect: Dialect) => z.ZodMiniObject;
  handle: (call: Call) => Answer;
}

interface RouteParts<B, Q extends z.ZodMiniObject>
  extends Pick<Route, 'operation' | 'method' | 'path' | 'summary'> {
  body: (dialect: Dialect) => z.ZodMiniType<B>;
  /** Checks a body by more exact messages than `body` alone gives. */
  checked?: (dialect: Dialect, body: unknown) => B;
  query: (dialect: Dialect) => Q;
  handle: (call: CheckedCall<B, z.output<Q>>) => Answer;
}

/** An endpoint that checks what it is sent before it handles it. */
export function route<B, Q extends z.ZodMiniObject>({ checked, ...parts }: RouteParts<B, Q>): Route {
  return {
    ...parts,
    handle: ({ world, path, query, body: sent }) => {
      const { dialect } = world;
      return parts.handle({
        world,
        path,
        query: checkQuery(parts.query(dialect), query),
        body: checked === undefined ? check(parts.body(dialect), sent) : checked(dialect, sent),
        sent,
      });
    },
  };
}

/** The status of a successful creation. */
export const createStatusOf = ({ name }: Dialect) => (name === 'field' ? 200 : 201);

export function ok(json: unknown): Answer {
  return { status: 200, json };
}

/** The input of an operation without a body and a query. */
export const NO_INPUT = { body: noBody, query: noQuery };

interface CreationParts<B> extends Pick<RouteParts<B, never>, 'operation' | 'path' | 'summary' | 'body'> {
  make: (world: World, body: B) => unknown;
}

/**
 * An endpoint that makes something once per `requestId`. The same request again gets the first response or a refusal;
 * another request under the same id is always refused. A request that was refused for its content is not in the ledger, so that a corrected request may keep its id.
 */
export function creation<B extends { requestId: string }>({ make, ...parts }: CreationParts<B>): Route {
  const { operation } = parts;
  return route({
    ...parts,
    method: 'POST',
    query: noQuery,
    handle: ({ world, sent, body }) => {
      const { dialect, ledger } = world;
      const request = { operation, requestId: body.requestId, body: sent };
      const earlier = usedBefore(ledger, request);
      if (earlier !== undefined) {
        if (earlier.differences.length > 0 || dialect.duplicates === 'refuse')
          throw knownRequestId(dialect, earlier.differences);
        const { status, body: text } = earlier.entry;
        return { status, text, headers: { 'idempotent-replay': 'true' } };
      }
      const text = JSON.stringify(present(dialect, make(world, body)));
      noteUse(ledger, request, { status: createStatusOf(dialect), body: text });
      return { status: createStatusOf(dialect), text };
    },
  });
}
