import { codeOf } from '../../errors/foreign-values.ts';
import { bytesBeside, joined } from './ky-adapter.ts';
import {
  BodyFailure,
  ConnectionLost,
  contentEncodingOf,
  decompress,
  NeverConnected,
  type RawHeaders,
  toHeaders,
  WholeResponse,
  type WireRequest,
} from './wire.ts';

/** Made at the first call: a test environment such as jsdom may have none at import. */
let decoder: TextDecoder | undefined;
const decode = (bytes: Uint8Array): string => {
  decoder ??= new TextDecoder();
  return decoder.decode(bytes);
};

/**
 * Receives one response from a dispatcher: the handler of undici 6 and 7 and of the older of undici 8's two slots.
 * Collects the body in buffers, with the size limit, and settles once.
 */
export class Exchange {
  readonly #limit: number;
  readonly #mayStartAgain: boolean;
  readonly #isForeign: WireRequest['isForeign'];
  readonly #cancellation: WireRequest['cancellation'];
  readonly #resolve: (response: WholeResponse) => void;
  readonly #reject: (reason: unknown) => void;
  #abort: (() => void) | undefined;
  #aborted = false;
  #status = 0;
  #headers: RawHeaders = {};
  readonly #chunks: Uint8Array[] = [];
  #size = 0;
  #text = '';
  #textSize = 0;

  constructor(
    request: WireRequest,
    resolve: (response: WholeResponse) => void,
    reject: (reason: unknown) => void,
  ) {
    this.#limit = request.maxResponseBytes;
    this.#mayStartAgain = isRead(request.method);
    this.#isForeign = request.isForeign;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#cancellation = request.cancellation;
    request.cancellation.whenCancelled(() => this.#stop());
  }

  /** A connection is about to be written to. A second time means that the dispatcher sends the request again. */
  onConnect(abort: () => void): void {
    if (this.#abort !== undefined && !this.#mayStartAgain) {
      this.#aborted = true;
      this.#reject(new ConnectionLost(repeatedByDispatcher()));
    }
    this.#abort = abort;
    // What is aborted here is never written.
    if (this.#aborted) abort();
    else this.#cancellation.mayHaveSent = true;
  }

  onHeaders(status: number, headers: RawHeaders): boolean {
    // A 1xx is not the final response.
    if (status >= 200) {
      this.#status = status;
      this.#headers = headers;
    }
    return true;
  }

  onData(chunk: Uint8Array): boolean {
    this.#size += chunk.byteLength;
    if (this.#size > this.#limit) {
      this.#fail('too-large');
      this.#stop();
      return true;
    }
    this.#chunks.push(chunk);
    if (this.#isForeign !== undefined && endsJson(chunk)) this.#keepOutForeign(this.#isForeign);
    return true;
  }

  onComplete(): void {
    const encodings = contentEncodingOf(this.#headers);
    if (encodings === undefined || this.#size === 0) this.#answer(this.#plainText());
    else this.#answerDecompressed(encodings);
  }

  onError(error: unknown): void {
    if (this.#status !== 0) this.#fail('cut', error);
    else if (this.#abort !== undefined) this.#reject(new ConnectionLost(error));
    else this.#reject(this.#cancellation.isUnsent ? new NeverConnected(error) : error);
  }

  /**
   * A response that names another request means that the connection is out of step: each of its responses would go to
   * the wrong request. It is closed while the exchange lasts, as it serves the next request right afterwards.
   */
  #keepOutForeign(isForeign: (text: string) => boolean): void {
    if (this.#status > 299 || contentEncodingOf(this.#headers) !== undefined) return;
    const text = this.#plainText();
    if (!isForeign(text)) return;
    this.#answer(text);
    this.#stop();
  }

  #answer(text: string, chunks: readonly Uint8Array[] = this.#chunks): void {
    this.#resolve(new WholeResponse(this.#status, this.#headers, text, bytesBeside(text, chunks)));
  }

  #answerDecompressed(encodings: string): void {
    decompress(joined(this.#chunks), encodings, this.#limit).then(
      (body) => this.#answer(decode(body), [body]),
      (error: unknown) => {
        this.#fail(codeOf(error) === 'ERR_BUFFER_TOO_LARGE' ? 'too-large' : 'cut', error);
      },
    );
  }

  /** The text so far. Decoded once: a body mostly comes in one piece. */
  #plainText(): string {
    if (this.#textSize !== this.#size) {
      const [first] = this.#chunks;
      this.#text = decode(first !== undefined && this.#chunks.length === 1 ? first : joined(this.#chunks));
      this.#textSize = this.#size;
    }
    return this.#text;
  }

  #fail(reason: 'cut' | 'too-large', caught?: unknown): void {
    this.#chunks.length = 0;
    this.#reject(new BodyFailure(reason, this.#status, toHeaders(this.#headers), caught));
  }

  /** Ends the exchange; one that still waits for a connection ends when it gets it, before anything is written. */
  #stop(): void {
    this.#aborted = true;
    this.#abort?.();
  }
}

const repeatedByDispatcher = () =>
  Object.assign(new Error('The dispatcher was about to send the request a second time.'), {
    code: 'REPEATED_BY_DISPATCHER',
  });

/** Returns true if a piece of a body may be the last one of a JSON record or list. */
function endsJson(chunk: Uint8Array): boolean {
  let last = chunk.length - 1;
  // Space, tab and line breaks may follow.
  while (last > 0 && Number(chunk[last]) <= 0x20) last -= 1;
  return chunk[last] === 0x7d || chunk[last] === 0x5d;
}

/** The controller that undici 7 and 8 pass to a handler. */
interface Controller {
  abort(reason: Error): void;
}

/** The handler of undici 7 and 8. It has the older methods, too, for a caller's dispatcher of whatever version. */
export class ModernExchange extends Exchange {
  onRequestStart(controller: Controller): void {
    this.onConnect(() => controller.abort(new Error('The attempt was ended.')));
  }

  onResponseStart(_controller: Controller, status: number, headers: Readonly<Record<string, unknown>>): void {
    this.onHeaders(status, headers);
  }

  onResponseData(_controller: Controller, chunk: Uint8Array): void {
    this.onData(chunk);
  }

  onResponseEnd(): void {
    this.onComplete();
  }

  onResponseError(_controller: Controller, error: unknown): void {
    this.onError(error);
  }
}

/** Returns true if a request changes nothing, so that a dispatcher may send it again after a lost connection. */
export const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';
