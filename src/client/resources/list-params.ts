import type * as z from 'zod/mini';
import { InvalidRequestError } from '../../shared/errors/index.ts';
import { checkedParameters } from '../call/body.ts';

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
    const body = checkedParameters(operation, schema(), params, 'query');
    // Without a prototype: a polluted one adds no parameter.
    return { read: Object.assign(Object.create(null), body), problem: undefined };
  } catch (thrown) {
    if (thrown instanceof InvalidRequestError) return { read: Object.create(null), problem: thrown };
    throw thrown;
  }
}
