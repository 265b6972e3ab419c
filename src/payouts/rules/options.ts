import * as z from 'zod/mini';
import { optionsTakenBy } from '../../shared/schema/option-fault.ts';
import { refuseInput } from './checks.ts';

/** Returns own options, checked by their schema. `taker`: the function that takes them. */
export const optionsOf = <Options>(taker: string, schema: z.ZodMiniType<Options>, given: unknown): Options =>
  optionsTakenBy(taker, schema, given, refuseInput);

/** An object of which these methods are called. It may be an instance of a class. `words`: what it must be. */
export const withMethods = <T>(words: string, ...methods: readonly string[]) =>
  z.custom<T>((given) => methods.every((name) => typeof Object(given)[name] === 'function'), {
    error: words,
    params: { kind: 'rule' },
  });
