import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import { approvals, medium, onramp, records, small } from './answers.ts';

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
  [() => true, encode(approvals)],
];

function encode(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

/** The same bodies compressed, once: what compressing costs a server is not the question. */
const compressed = new Map(bodies.map(([, body]) => [body, gzipSync(body)]));

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    const [, plain] = bodies.find(([test]) => test(request.method ?? '', request.url ?? '')) ?? [];
    if (plain === undefined) throw new Error('every request has an answer');
    // Only for who asks by a header of the bench's own: by default many clients take compressed answers, some do not.
    const wantsGzip = request.headers['x-bench-encoding'] === 'gzip';
    const body = (wantsGzip && compressed.get(plain)) || plain;
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': body.length,
      ...(wantsGzip && { 'content-encoding': 'gzip' }),
    });
    response.end(body);
  });
});
server.keepAliveTimeout = 120_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object') process.send?.(address?.port);
});
process.on('disconnect', () => process.exit());
