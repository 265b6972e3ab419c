/** One attempt, as it goes onto the wire. */
export interface WireRequest {
  readonly url: string;
  readonly method: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly signal: AbortSignal;
  /** Bytes of body after which an answer is given up. */
  readonly maxResponseBytes: number;
}

/** An answer whose body has arrived whole. */
export interface WireResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Sends one attempt and brings the whole answer. */
export type Wire = (request: WireRequest) => Promise<WireResponse>;

/** The fetch that the client is given: the platform's, or one that behaves like it. */
export type FetchLike = (input: string, init: RequestInit) => Promise<Response>;

/** The status had arrived, but the body did not: it was cut, or is larger than the limit. */
export class BodyFailure extends Error {
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

/** Carries an attempt through ky's options, and finds it again in the init that ky gives to fetch. */
export class WireRequestCarrier {
  readonly wireRequest: WireRequest;

  constructor(wireRequest: WireRequest) {
    this.wireRequest = wireRequest;
  }

  static of(init: object | undefined): WireRequest {
    if (init !== undefined && 'wireRequest' in init && isWireRequest(init.wireRequest))
      return init.wireRequest;
    throw new TypeError('ky did not hand its options through to fetch');
  }
}

const isWireRequest = (value: unknown): value is WireRequest =>
  typeof value === 'object' &&
  value !== null &&
  'url' in value &&
  'signal' in value &&
  'maxResponseBytes' in value;
