import type { Cancellation } from '../wire/wire.ts';

// Kept when this module loads: a test may have faked the timers.
const immediate: typeof setImmediate | undefined = globalThis.setImmediate;
const { setTimeout } = globalThis;

/** Another thread may decompress the body. The client waits for it, at most this number of one-millisecond timers. */
const maxWaits = 1_000;

/**
 * Lets the event loop read the sockets that are ready, for as many turns as each brings another piece of the response: a
 * large body takes several. A piece that is still on its way is not waited for. `isOfTimer`: a timer of ours runs, after
 * which the sockets are next.
 */
export async function readSockets(receiver: Cancellation, isOfTimer: boolean): Promise<void> {
  // The rest of the turn in which a caller aborts looks only at what was ready when it began.
  if (!isOfTimer) await turn();
  let before: number;
  do {
    before = receiver.arrived;
    await turn();
  } while (receiver.arrived !== before);
  if (!receiver.isDecompressing) return;
  for (let left = maxWaits; receiver.isDecompressing && left > 0; left -= 1)
    await new Promise((resolve) => setTimeout(resolve, 1));
  await turn();
}

/** One turn of the event loop, in which the sockets are read. */
function turn(): Promise<void> {
  if (immediate !== undefined) return new Promise((resolve) => immediate(resolve));
  // A platform of which nothing better is known, and a test environment that has neither.
  if (globalThis.MessageChannel === undefined) return new Promise((resolve) => setTimeout(resolve, 0));
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port2.onmessage = () => {
      port1.close();
      resolve();
    };
    port1.postMessage(undefined);
  });
}
