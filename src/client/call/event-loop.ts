// Kept when this module loads, so that nobody has to move them on who has faked timers.
const immediate: typeof setImmediate | undefined = globalThis.setImmediate;
const { setTimeout } = globalThis;
const now = /* @__PURE__ */ performance.now.bind(performance);

/** Milliseconds without a further piece of a response, after which the rest of it has not arrived. */
const quiet = 200;

/** The longest that a response is read after its time, in milliseconds. A stream may never be quiet. */
const longest = 1_000;

/** What receives a response. */
interface Receiver {
  /** The number of the pieces that have arrived. */
  readonly arrived: number;
  /** True once a body arrives, or has arrived, that another thread unpacks. */
  readonly isUnpacking: boolean;
}

/**
 * Lets the event loop read the sockets that are ready. Where a response has arrived, resolves once nothing more of it
 * comes: a large body takes several turns, and a compressed one some time. `isOfTimer`: a timer of ours runs, after which
 * the sockets are next.
 */
export async function lookAtSockets(receiver: Receiver, isOfTimer: boolean): Promise<void> {
  const before = receiver.arrived;
  await turn();
  // The rest of the turn in which a caller aborts looks only at what was ready when it began.
  if (!isOfTimer) await turn();
  if (receiver.arrived === before && !receiver.isUnpacking) return;
  const end = now() + longest;
  for (let seen = before, last = now(); now() < end; ) {
    if (receiver.arrived !== seen) {
      seen = receiver.arrived;
      last = now();
    }
    if (now() - last > quiet) return;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
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
