import { InvalidRequestError } from '../../errors/index.ts';
import type { PendingCall } from '../../transport/api-promise.ts';
import type { Operation, OperationInput, RequestOptions, Transport } from '../../transport/types.ts';
import { ownParams } from '../checks/rules.ts';
import { takeBody } from './request-body.ts';

/** The content of one call of a described operation. */
export interface CustomCall {
  readonly path?: Readonly<Record<string, string>> | undefined;
  readonly query?: OperationInput['query'] | undefined;
  readonly body?: unknown;
  /** Headers that the description asks for, such as that of an idempotency key. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly requestId?: string | undefined;
  readonly problem?: InvalidRequestError | undefined;
}

/** Starts an operation that an integrator described. Forms and Blobs are read before anything is sent. */
export function startCustom<T>(
  transport: Transport,
  operation: Operation<T>,
  call: CustomCall,
  options: RequestOptions | undefined,
): PendingCall<T> {
  const { path, query, body, headers, requestId, problem } = ownParams(call);
  const start = (taken: unknown, fault = problem) =>
    transport.start(
      { ...operation, isOfCaller: true },
      {
        ...(path !== undefined && { path }),
        ...(query !== undefined && { query }),
        ...(taken !== undefined && { body: taken }),
        ...(headers !== undefined && { headers }),
        ...(requestId !== undefined && { requestId }),
        problem: fault,
      },
      options,
    );
  if (problem !== undefined) return start(undefined);
  const taken = takeBody(body);
  if (!(taken instanceof Promise)) return start(taken);
  let isRaw = false;
  const answer = taken.then(
    (read) => {
      const started = start(read);
      if (isRaw) started.takeRaw?.();
      return started.answer;
    },
    (cause: unknown) => {
      const message = `${operation.name}: the body cannot be read. Nothing was sent.`;
      return start(
        undefined,
        new InvalidRequestError(message, { operation: operation.name, field: 'body', cause }),
      ).answer;
    },
  );
  const takeRaw = () => {
    isRaw = true;
  };
  return { operation: operation.name, requestId, answer, takeRaw };
}
