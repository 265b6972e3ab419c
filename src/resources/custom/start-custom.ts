import { InvalidRequestError } from '../../errors/index.ts';
import type { PendingCall } from '../../transport/api-promise.ts';
import type { Operation, OperationInput, RequestOptions, Transport } from '../../transport/types.ts';
import { ownParams } from '../checks/rules.ts';
import { takeBody } from './request-body.ts';

/** Starts an operation that an integrator described. Forms and Blobs are read before anything is sent. */
export function startCustom<T>(
  transport: Transport,
  operation: Operation<T>,
  input: OperationInput,
  options: RequestOptions | undefined,
): PendingCall<T> {
  const own = ownParams(input);
  const { body, requestId, problem } = own;
  const start = (taken: unknown, fault = problem) =>
    transport.start({ ...operation, isOfCaller: true }, { ...own, body: taken, problem: fault }, options);
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
