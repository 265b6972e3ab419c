import * as z from 'zod/mini';
import { ConfigurationError } from '../shared/errors/index.ts';
import { optionsTakenBy } from '../shared/schema/option-fault.ts';

/** Returns own options, checked by their schema. `taker`: the function that takes them. */
export const optionsOf = <Options>(taker: string, schema: z.ZodMiniType<Options>, given: unknown): Options =>
  optionsTakenBy(taker, schema, given, (message) => {
    throw new ConfigurationError(message);
  });

/** A provider of OpenTelemetry, told by the method that the hooks call. */
export const providerWith = <Provider>(method: string) =>
  z.custom<Provider>((value) => typeof Object(value)[method] === 'function', {
    error: `must be a provider with a method \`${method}\``,
    params: { kind: 'type' },
  });
