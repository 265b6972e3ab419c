import type { PaymentsError } from '../../errors/index.ts';
import type { Credentials } from '../attempt/credentials.ts';

/** The access token of one call: the one in use, and the single replacement that a 401 allows. */
export class CallToken {
  readonly #credentials: Credentials;
  #current = '';
  readonly #used: string[] = [];
  #replaced = false;
  #mustReplace = false;

  constructor(credentials: Credentials) {
    this.#credentials = credentials;
  }

  /** The token for the attempt that starts now; no promise where it is there already. */
  get(): string | Promise<string> {
    const credentials = this.#credentials;
    const token = this.#mustReplace ? credentials.replace(this.#current) : credentials.current();
    return typeof token === 'string' ? this.#use(token) : token.then((text) => this.#use(text));
  }

  /** After a 401: whether the next attempt gets a fresh token. A refusal is no failure, so it costs no retry. */
  replaceAfter(error: PaymentsError): boolean {
    if (this.#replaced || error.code !== 'authentication' || !this.#credentials.renewable) return false;
    this.#replaced = true;
    this.#mustReplace = true;
    return true;
  }

  /** The tokens, which no message may contain. */
  get secrets(): readonly string[] {
    return this.#used;
  }

  #use(token: string): string {
    if (token !== this.#current) this.#used.push(token);
    this.#current = token;
    this.#mustReplace = false;
    return token;
  }
}
