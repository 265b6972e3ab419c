import { ConfigurationError } from '../../shared/errors/index.ts';

/** A value, or a function that returns it, also as a promise. The function is called at the first delivery. */
export type AtFirstDelivery<Value> = Value | (() => Value | undefined | Promise<Value | undefined>);

/**
 * Reads the values of an option. Values are read at once, so that a wrong one throws where it is passed. If some are
 * functions, all are read when they are first needed, and again until that succeeds.
 * `read` checks and converts one value, and throws a ConfigurationError.
 */
export function atFirstDelivery<Read>(
  option: string,
  given: readonly unknown[],
  read: (value: unknown) => Read,
): () => readonly Read[] | Promise<readonly Read[]> {
  // The values are kept, not the promise of them: Workers forbids waiting for another request's promise.
  let values = given.some((value) => typeof value === 'function') ? undefined : given.map(read);
  const ask = async (value: unknown): Promise<Read> => {
    if (typeof value !== 'function') return read(value);
    let found: unknown;
    try {
      found = await value();
    } catch (cause) {
      throw new ConfigurationError(`The function of \`${option}\` threw an error.`, { cause });
    }
    if (found !== undefined && found !== null) return read(found);
    throw new ConfigurationError(`The function of \`${option}\` returned ${found}: is the variable set?`);
  };
  return () => values ?? Promise.all(given.map(ask)).then((read) => (values = read));
}
