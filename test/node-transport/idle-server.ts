// A server in a thread of its own, so that it can close its sockets while the client's thread is busy.
import { createServer } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

const { signals } = workerData as { signals: Int32Array };
const server = createServer((request, response) => {
  request.resume();
  request.on('end', () =>
    response.end('{"userId":"u-1","kycInfo":{},"transferDetails":{"id":"t-1","status":"CREATED"}}'),
  );
});
server.listen(0, '127.0.0.1', () => parentPort?.postMessage(server.address()));
parentPort?.on('message', () => {
  server.closeIdleConnections();
  // The sockets close after this turn; then the busy thread may go on.
  setTimeout(() => {
    Atomics.store(signals, 0, 1);
    Atomics.notify(signals, 0);
  }, 20);
});
