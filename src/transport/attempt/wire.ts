import type { Cancellation } from './cancellation.ts';
import { Signal } from './signal.ts';

/** The request of one attempt. */
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
  /** The largest response body in bytes. */
  readonly maxResponseBytes: number;
  /**
   * Whether the body of a success names another request, for operations whose responses show that. Asked before the
   * connection is free again, so that one that mixes up responses can be closed. False for a body that is not whole.
   */
  readonly isForeign?: ((text: string) => boolean) | undefined;
}

/** A response with its complete body. `headers` may be created when they are first read. */
export interface WireResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The bytes of the body, if the text cannot give them back: it is not UTF-8, or has a byte order mark. */
  readonly bytes?: Uint8Array<ArrayBuffer> | undefined;
}

/** Sends one attempt and returns the complete response. */
export type Wire = (request: WireRequest) => Promise<WireResponse>;

/** A function with the interface of the platform's `fetch`. */
export type FetchLike = (input: string, init: RequestInit) => Promise<Response>;

/** Sends an attempt, behind ky. It returns a response with its body to be read, or a complete response. */
export type Send = (request: WireRequest) => Promise<Response | WholeResponse>;

/** A response in the form that ky expects, with its complete body: no stream, nothing to clone. */
export abstract class WholeResponse implements WireResponse {
  readonly status: number;
  readonly text: string;
  readonly bytes: Uint8Array<ArrayBuffer> | undefined;

  constructor(status: number, text: string, bytes?: Uint8Array<ArrayBuffer>) {
    this.status = status;
    this.text = text;
    this.bytes = bytes;
  }

  abstract readonly headers: Headers;

  get ok(): boolean {
    return this.status >= 200 && this.status <= 299;
  }

  /** ky uses this tag to detect a Response. */
  get [Symbol.toStringTag](): string {
    return 'Response';
  }
}

/** The status arrived, but the body is incomplete or larger than the limit. */
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

/** An established connection failed: whatever the error code, the request may have been sent. */
export class ConnectionLost extends Signal {
  readonly caught: unknown;

  constructor(caught: unknown) {
    super('connection lost');
    this.caught = caught;
  }
}
