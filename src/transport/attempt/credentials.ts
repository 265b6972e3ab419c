import { ConfigurationError } from '../../errors/index.ts';
import { kindOf } from '../kind.ts';

/** Why a token is asked for. */
export interface AccessTokenContext {
  /** `initial`: none is known yet. `expired`: the service answered 401 to the last one. */
  reason: 'initial' | 'expired';
}

/**
 * A bearer token, or a function that brings one. The function's answer is kept until the service
 * answers 401 to it; concurrent calls share one run of the function.
 */
export type AccessToken = string | ((context: AccessTokenContext) => string | Promise<string>);

/** Brings the token for an attempt, and a fresh one after a 401. */
export interface Credentials {
  /** The token to use now. */
  current(): string | Promise<string>;
  /** Whether there can be another token than the one that was refused. */
  readonly renewable: boolean;
  /** A token other than the one that was just refused, where there can be one. */
  replace(refused: string): string | Promise<string>;
  /** Stops waiting for a run of the token function that takes too long, so that the next call starts another. */
  abandon(): void;
}

/** Makes credentials of a token or a token function; `where` names the option in messages. */
export function createCredentials(token: AccessToken, where: string): Credentials {
  if (typeof token === 'function') return new TokenFunction(token);
  const checked = checkToken(token, where);
  return { renewable: false, current: () => checked, replace: () => checked, abandon: () => undefined };
}

class TokenFunction implements Credentials {
  readonly renewable = true;
  readonly #bring: Exclude<AccessToken, string>;
  #token: string | undefined;
  #running: Promise<string> | undefined;

  constructor(bring: Exclude<AccessToken, string>) {
    this.#bring = bring;
  }

  current(): string | Promise<string> {
    return this.#token ?? this.#running ?? this.#run('initial');
  }

  replace(refused: string): string | Promise<string> {
    if (this.#token === refused) this.#token = undefined;
    return this.#token ?? this.#running ?? this.#run('expired');
  }

  abandon(): void {
    this.#running = undefined;
  }

  #run(reason: AccessTokenContext['reason']): Promise<string> {
    const running = this.#ask(reason).then(
      (token) => {
        // A run that was given up still brings a good token, unless a later one was quicker.
        if (this.#running === running || this.#token === undefined) this.#token = token;
        if (this.#running === running) this.#running = undefined;
        return token;
      },
      (error: unknown) => {
        if (this.#running === running) this.#running = undefined;
        throw error;
      },
    );
    this.#running = running;
    return running;
  }

  async #ask(reason: AccessTokenContext['reason']): Promise<string> {
    let token: unknown;
    try {
      token = await this.#bring({ reason });
    } catch (cause) {
      throw new ConfigurationError('The `accessToken` function failed. `originalError` is what it threw.', {
        code: 'access_token',
        cause,
      });
    }
    return checkToken(token, 'The `accessToken` function');
  }
}

/** Refuses what cannot stand in an Authorization header, without ever showing it. */
function checkToken(token: unknown, where: string): string {
  const fail = (why: string) => new ConfigurationError(`${where} ${why}.`, { code: 'access_token' });
  if (typeof token !== 'string') throw fail(`must give a string, but gave ${kindOf(token)}`);
  if (token === '') throw fail('gave an empty token');
  if (/^bearer\s/i.test(token)) throw fail('gave a token that starts with "Bearer"; give the token alone');
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw fail('gave a token with a space, a line break or another character that cannot stand in a header');
  }
  return token;
}
