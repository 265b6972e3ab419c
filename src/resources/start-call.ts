import { APIPromise } from '../transport/api-promise.ts';
import type { Operation, OperationInput, RequestOptions, Transport } from '../transport/types.ts';

/** Starts an operation and gives the promise of its data. */
export function call<T>(
  transport: Transport,
  operation: Operation<T>,
  input: OperationInput,
  options: RequestOptions | undefined,
): APIPromise<T> {
  return new APIPromise(transport.start(operation, input, options));
}
