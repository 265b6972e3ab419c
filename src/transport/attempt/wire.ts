import type { Cancellation } from './cancellation.ts';
import { Signal } from './signal.ts';

/** One attempt, as it goes onto the wire. */
export interface WireRequest {
  readonly url: string;
  /** Scheme, host and port: what `url` begins with. */
  readonly origin: string;
  readonly method: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whole, so that a later attempt can send it again. */
  readonly body: string | Uint8Array<ArrayBuffer> | undefined;
  readonly cancellation: Cancellation;
  /** Bytes of body after which an answer is given up. */
  readonly maxResponseBytes: number;
  /**
   * Whether the body of a success names another request, for operations whose responses show that. Asked before the
   * connection is free again, so that one that mixes up responses can be closed. False for a body that is not whole.
   */
  readonly isForeign?: ((text: string) => boolean) | undefined;
}

/** An answer whose body has arrived whole. `headers` may be made when they are first asked for. */
export interface WireResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Sends one attempt and brings the whole answer. */
export type Wire = (request: WireRequest) => Promise<WireResponse>;

/** The fetch that the client is given: the platform's, or one that behaves like it. */
export type FetchLike = (input: string, init: RequestInit) => Promise<Response>;

/** What puts an attempt onto the network, behind ky: the answer with its body still to be read, or read already. */
export type Send = (request: WireRequest) => Promise<Response | WholeResponse>;

/** An answer as ky wants to see it, with the body already there: no stream, nothing to clone. */
export abstract class WholeResponse implements WireResponse {
  readonly status: number;
  readonly text: string;

  constructor(status: number, text: string) {
    this.status = status;
    this.text = text;
  }

  abstract readonly headers: Headers;

  get ok(): boolean {
    return this.status >= 200 && this.status <= 299;
  }

  /** ky knows a Response by this. */
  get [Symbol.toStringTag](): string {
    return 'Response';
  }
}

/** The status had arrived, but the body did not: it was cut, or is larger than the limit. */
export class BodyFailure extends Signal {
  readonly status: number;
  readonly headers: Headers;
  readonly reason: 'cut' | 'too-large';
  readonly caught: unknown;

  constructor(reason: 'cut' | 'too-large', status: number, headers: Headers, caught?: unknown) {
    super(reason);
    this.reason = reason;
    this.status = status;
    this.headers = headers;
    this.caught = caught;
  }
}

/** A connection failed after it stood: whatever the code says, the request may have been sent. */
export class ConnectionLost extends Signal {
  readonly caught: unknown;

  constructor(caught: unknown) {
    super('connection lost');
    this.caught = caught;
  }
}
