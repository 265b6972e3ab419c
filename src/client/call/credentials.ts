import { ConfigurationError } from '../../shared/errors/index.ts';
import { isTextOfNothing, kindOf } from '../../shared/values.ts';

/** The argument of a token function. */
export interface AccessTokenContext {
  /** `initial`: the client has no token yet. `expired`: the service responded with 401 to the last token. */
  reason: 'initial' | 'expired';
}

/**
 * A bearer token, or a function that returns one. The client keeps the token until the service responds with 401.
 * Concurrent calls share one run of the function.
 */
export type AccessToken = string | ((context: AccessTokenContext) => string | Promise<string>);

/** Milliseconds after which a run of the token function counts as lost, and the next call may start another. */
const maxTokenRun = 30_000;

/**
 * Brings the token for an attempt, and a fresh one after a 401. The token function runs once for all who wait, and never
 * twice at a time: a second run would spend a rotating refresh token that the first one has spent already. A caller that
 * gives up leaves the run to the others.
 */
export class Credentials {
  /** The token function; undefined for a token that cannot be renewed. */
  readonly #bring: Exclude<AccessToken, string> | undefined;
  #token: string | undefined;
  /** The run of the token function that all calls without a token wait for. */
  #run: { readonly token: Promise<string>; readonly startedAt: number } | undefined;

  /** `where` names the option in messages. */
  constructor(given: AccessToken, where: string) {
    if (typeof given === 'function') this.#bring = given;
    else this.#token = checkToken(given, where);
  }

  /** True if there can be another token after a refusal. */
  get renewable(): boolean {
    return this.#bring !== undefined;
  }

  /** The token to use now: another one than the refused one, if there can be one. */
  token(refused?: string): string | Promise<string> {
    if (this.#token === refused) this.#token = undefined;
    return this.#token ?? this.#sharedRun(refused === undefined ? 'initial' : 'expired');
  }

  #sharedRun(reason: AccessTokenContext['reason']): Promise<string> {
    const now = performance.now();
    if (this.#run !== undefined && now - this.#run.startedAt < maxTokenRun) return this.#run.token;
    const token = this.#ask(reason).then(
      (token) => {
        // A run that was taken for lost still brings a good token, unless a later one was quicker.
        if (this.#run === run || this.#token === undefined) this.#token = token;
        if (this.#run === run) this.#run = undefined;
        return token;
      },
      (error: unknown) => {
        if (this.#run === run) this.#run = undefined;
        throw error;
      },
    );
    const run = { token, startedAt: now };
    this.#run = run;
    return token;
  }

  async #ask(reason: AccessTokenContext['reason']): Promise<string> {
    let token: unknown;
    try {
      token = await this.#bring?.({ reason });
    } catch (cause) {
      throw new ConfigurationError('The `accessToken` function failed. `originalError` is what it threw.', {
        code: 'access_token',
        cause,
      });
    }
    if (token === undefined || token === null) {
      throw new ConfigurationError('The `accessToken` function returned no token.', { code: 'access_token' });
    }
    return checkToken(token, 'The token that `accessToken` returned');
  }
}

/** Refuses what cannot stand in an Authorization header, without ever showing it. */
function checkToken(token: unknown, name: string): string {
  const fail = (why: string) => new ConfigurationError(`${name} ${why}.`, { code: 'access_token' });
  if (typeof token !== 'string') throw fail(`must be a string, but is ${kindOf(token)}`);
  if (token === '') throw fail('is empty');
  if (/^bearer\s/i.test(token)) throw fail('must be the bare token, without the "Bearer " prefix');
  if (isTextOfNothing(token))
    throw fail(`is the text "${token.trim()}": a value was missing where it was made`);
  if (/^(["'`]).*\1$/.test(token)) throw fail('is in quotes: remove them');
  if (token.trim() !== token) throw fail('begins or ends with white space: trim it');
  if (!/^[\x21-\x7e]+$/.test(token)) throw fail('contains a character that HTTP does not allow');
  return token;
}
