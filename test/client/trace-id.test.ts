import { inspect } from 'node:util';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import type { PaymentsClient } from 'stablecoin-payments';
import { openTelemetryHooks } from 'stablecoin-payments/opentelemetry';
import { describe, expect, it } from 'vitest';
import { serve } from '../servers.ts';
import { bridge, clientAt, clientOf, failure, json, type Step, scripted, text, token } from './support.ts';

const failing = (headers: Record<string, string>) =>
  failure(
    clientOf(scripted(json({ error: 'USER_FROZEN' }, 400, headers)), { retries: 0 }).kyc.retrieve('u1'),
  );

describe('the service’s own id of a request', () => {
  it.each(['x-request-id', 'request-id', 'x-correlation-id', 'cf-ray'])('is read from %s', async (header) => {
    const error = await failing({ [header]: '8f1c-77.ab' });
    expect(error.traceId).toBe('8f1c-77.ab');
    expect(error.message).toContain('Trace id: 8f1c-77.ab.');
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ traceId: '8f1c-77.ab' });
    expect(inspect(error)).toContain("traceId: '8f1c-77.ab'");
    expect(JSON.parse(JSON.stringify(error)).traceId).toBe('8f1c-77.ab');
  });

  it('is that of the service where a gateway has one, too', async () => {
    expect((await failing({ 'cf-ray': 'gateway', 'x-request-id': 'service' })).traceId).toBe('service');
  });

  it.each([
    ['is missing', {}],
    ['is empty', { 'x-request-id': '' }],
    ['has other characters', { 'x-request-id': 'a b' }],
    ['is too long', { 'x-request-id': 'a'.repeat(129) }],
    ['contains the token', { 'x-request-id': `id-${token}` }],
  ])('is left out where it %s', async (_what, headers) => {
    const error = await failing(headers);
    expect(error.traceId).toBeUndefined();
    expect(error.message).not.toContain('Trace id');
    expect(error.toJSON()).not.toHaveProperty('traceId');
  });

  const traced = { 'x-request-id': 'trace-1' };
  const pay = (client: PaymentsClient) => client.bridges.create(bridge);
  const read = (client: PaymentsClient) => client.kyc.retrieve('u1');
  const foreign = () => Response.json({ userId: 'u2', kycInfo: {} }, { headers: traced });
  it.each<[string, Step, (client: PaymentsClient) => PromiseLike<unknown>]>([
    ['a known id', json({ error: 'RESOURCE_CONFLICT' }, 409, traced), pay],
    ['a success of another shape', json({ transferDetails: {} }, 200, traced), pay],
    ['a record that departs from its schema', json({ userId: 'u1' }, 200, traced), read],
    ['a record of another user', foreign, read],
    ['a body that is too large', text('x'.repeat(11 * 1024 * 1024), 200, traced), read],
  ])('is in the error of %s', async (_what, step, call) => {
    const error = await failure(call(clientOf(scripted(step), { retries: 0 })));
    expect(error.traceId).toBe('trace-1');
    expect(error.message).toContain('Trace id: trace-1.');
  });

  it('is in the log: at debug for a success, and with every failure', async () => {
    const lines: string[] = [];
    const write = (line: string) => void lines.push(line);
    const logger = { debug: write, info: write, warn: write, error: write };
    const fetch = scripted(
      json({}, 503, { 'retry-after': '0', 'x-request-id': 'first' }),
      json({ userId: 'u1', kycInfo: {} }, 200, { 'x-request-id': 'second' }),
    );
    await clientOf(fetch, { logger, logLevel: 'debug', retries: { minDelay: 0 } }).kyc.retrieve('u1');
    expect(lines.filter((line) => line.includes('traceId='))).toEqual([
      expect.stringContaining('traceId=first'),
      expect.stringContaining('traceId=second'),
    ]);
    lines.length = 0;
    await clientOf(scripted(json({ userId: 'u1', kycInfo: {} }, 200, traced)), { logger }).kyc.retrieve('u1');
    expect(lines).toEqual([expect.stringMatching(/ → 200 in \d+ ms$/)]);
    lines.length = 0;
    const refused = scripted(json({}, 400, { 'x-request-id': 'third' }));
    await failure(clientOf(refused, { logger, logLevel: 'error' }).kyc.retrieve('u1'));
    expect(lines.join()).toContain('traceId=third');
  });

  it('is in the span', async () => {
    const exporter = new InMemorySpanExporter();
    const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
    const fetch = scripted(json({ error: 'USER_FROZEN' }, 400, traced));
    await failure(clientOf(fetch, { hooks: openTelemetryHooks({ tracerProvider }) }).kyc.retrieve('u1'));
    expect(exporter.getFinishedSpans()[0]?.attributes).toMatchObject({ 'payments.trace_id': 'trace-1' });
  });

  it('is read on Node’s own way to the network, too', async () => {
    const served = await serve((_request, response) => {
      response.writeHead(404, { 'content-type': 'application/json', 'X-Request-Id': 'over-the-wire' });
      response.end('{}');
    });
    const client = clientAt(served.url);
    expect((await failure(client.kyc.retrieve('u1'))).traceId).toBe('over-the-wire');
  });
});
