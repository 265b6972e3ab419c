import type * as z from 'zod/mini';
import { InvalidRequestError } from '../../shared/errors/index.ts';
import { APIPromise } from '../call/api-promise.ts';
import { requestOptionFields } from '../call/call-options.ts';
import { checkedParameters } from '../call/parameters.ts';
import type { Operation, OperationInput, RequestOptions, Transport } from '../call/types.ts';

/** Starts an operation of a namespace and returns the promise of its data. */
export function call<T>(
  transport: Transport,
  operation: Operation<T>,
  input: OperationInput,
  options: RequestOptions | undefined,
): APIPromise<T> {
  return new APIPromise(transport.start(operation, input, options));
}

/**
 * Reads the parameters of a list once and checks them. Never throws: the call fails with the `problem`, and `read` is then
 * empty.
 */
export function readParams<T extends object>(
  operation: string,
  params: T,
  schema: () => z.ZodMiniType,
): { readonly read: Partial<T>; readonly problem: InvalidRequestError | undefined } {
  try {
    const options = Object.keys(requestOptionFields());
    const body = checkedParameters(operation, schema(), params, { options, more: 'query' });
    // Without a prototype: a polluted one adds no parameter.
    return { read: Object.assign(Object.create(null), body), problem: undefined };
  } catch (thrown) {
    if (thrown instanceof InvalidRequestError) return { read: Object.create(null), problem: thrown };
    throw thrown;
  }
}
