import { type ParseArgsConfig, parseArgs } from 'node:util';
import { nearestName } from '../shared/option-names.ts';

/**
 * Parses the arguments of a command.
 *
 * @param config - As for `parseArgs` of node:util.
 * @param Failure - The class of the error for a command line that cannot be run. Its message names the flag that was
 * probably meant.
 */
export function parseArguments<const Config extends ParseArgsConfig>(
  config: Config,
  Failure: new (message: string) => Error,
): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const unknown = /^Unknown option '(-[^']*)'/.exec(message)?.[1];
    if (unknown === undefined) throw new Failure(message);
    throw new Failure(
      `There is no option ${unknown}${suggestion(unknown, Object.keys(config.options ?? {}), '--')}`,
    );
  }
}

/** The end of a sentence about a name that does not exist: a full stop, or the name that was probably meant. */
export function suggestion(name: string, known: readonly string[], prefix = ''): string {
  const meant = nearestName(name, known);
  return meant === undefined ? '.' : `. Did you mean ${prefix}${meant}?`;
}
