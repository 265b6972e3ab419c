import type { PaymentsError } from '../../errors/index.ts';
import type { Credentials } from '../attempt/credentials.ts';

/** The access token of one call: the one in use, and the single replacement that a 401 allows. */
export class CallToken {
  readonly #credentials: Credentials;
  readonly #used = new Set<string>();
  #current: string | undefined;
  /** The token to replace before the next attempt. */
  #refused: string | undefined;
  #replaced = false;

  constructor(credentials: Credentials) {
    this.#credentials = credentials;
  }

  /** The token for the attempt that starts now; no promise where it is there already. */
  get(): string | Promise<string> {
    const credentials = this.#credentials;
    const token = this.#refused === undefined ? credentials.current() : credentials.replace(this.#refused);
    return typeof token === 'string' ? this.#use(token) : token.then((text) => this.#use(text));
  }

  /** After a 401: whether the next attempt gets a fresh token. A refusal is no failure, so it costs no retry. */
  replaceAfter(error: PaymentsError): boolean {
    if (this.#replaced || error.code !== 'authentication' || !this.#credentials.renewable) return false;
    this.#replaced = true;
    this.#refused = this.#current;
    return true;
  }

  /** The tokens, which no message may contain. */
  get secrets(): readonly string[] {
    return [...this.#used];
  }

  #use(token: string): string {
    this.#used.add(token);
    this.#current = token;
    this.#refused = undefined;
    return token;
  }
}
