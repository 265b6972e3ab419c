/**
 * Lets the event loop read all sockets that are ready. Two messages to itself, because the first one may be received
 * before the sockets of the same turn; not `setImmediate`, which tests put fakes in place of that nobody moves on.
 */
export async function nextTurn(): Promise<void> {
  const { MessageChannel } = globalThis.process.getBuiltinModule('node:worker_threads');
  const { port1, port2 } = new MessageChannel();
  try {
    for (let message = 0; message < 2; message += 1) {
      const received = new Promise<void>((resolve) => port2.once('message', () => resolve()));
      port1.postMessage(message);
      await received;
    }
  } finally {
    port1.close();
  }
}
