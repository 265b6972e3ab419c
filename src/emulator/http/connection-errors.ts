import type { Exchange } from './exchange.ts';

/** A failure as a network makes it: what `fetch` rejects with when the connection is reset. */
function connectionReset(message = 'fetch failed'): TypeError {
  const cause = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  return new TypeError(message, { cause });
}

/** Waits so long, or until the signal fires; then rejects with the signal's reason. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (milliseconds === 0) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const timer = setTimeout(done, milliseconds);
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    function done(): void {
      signal.removeEventListener('abort', abort);
      resolve();
    }
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}

/** Never resolves; rejects with the signal's reason once it fires. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** The response as a caller in the same process meets it, with the network's faults played on streams and promises. */
export async function deliver(
  response: Response,
  exchange: Exchange,
  signal: AbortSignal,
): Promise<Response> {
  await pause(exchange.latency, signal);
  if (exchange.delivery === 'whole') return response;
  if (exchange.delivery === 'reset') throw connectionReset();
  if (exchange.delivery === 'stall-headers') return aborted(signal);
  const whole = new Uint8Array(await response.arrayBuffer());
  const half = firstHalf(whole);
  // The announced length is that of the whole, so that what is missing is missed.
  response.headers.set('content-length', String(whole.byteLength));
  const stalls = exchange.delivery === 'stall-body';
  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => controller.enqueue(half),
      pull: (controller) => {
        if (!stalls) controller.error(connectionReset('terminated'));
        else return aborted(signal).catch((reason: unknown) => controller.error(reason));
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { status: response.status, headers: response.headers });
}

export function firstHalf(bytes: Uint8Array): Uint8Array {
  return bytes.slice(0, Math.max(1, bytes.byteLength >> 1));
}
