import { createServer } from 'node:http';
import { medium, onramp, records, small } from './answers.ts';

/** Bodies by what the address asks for; each client's list has the envelope that it expects. */
const bodies: [test: (method: string, url: string) => boolean, body: Buffer][] = [
  [(method) => method === 'POST', encode(onramp)],
  [(_, url) => url.includes('/small'), encode(small)],
  [(_, url) => url.includes('/medium'), encode(medium)],
  [(_, url) => url.includes('/api/counterparties'), encode(records)],
  [
    (_, url) => url.includes('/v1/customers') || url.includes('/models'),
    encode({ object: 'list', has_more: false, url: '/v1/customers', data: records }),
  ],
  [() => true, encode({ success: true, message: 'ok', count: records.length, approvals: records })],
];

function encode(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    const [, body] = bodies.find(([test]) => test(request.method ?? '', request.url ?? '')) ?? [];
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body?.length ?? 0 });
    response.end(body);
  });
});
server.keepAliveTimeout = 120_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object') process.send?.(address?.port);
});
process.on('disconnect', () => process.exit());
