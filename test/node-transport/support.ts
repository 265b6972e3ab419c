import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { type ClientOptions, isPaymentsError, PaymentsClient, type PaymentsError } from '../../src/index.ts';

export const record = { userId: 'u-1', kycInfo: { firstName: 'Zoë' } };

/** A server on a free port of this machine that is gone when the test ends. */
export async function serve(listener: RequestListener): Promise<{ server: Server; baseUrl: string }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { server, baseUrl: `http://127.0.0.1:${port}` };
}

/** Answers every request with the KYC record. */
export const answerRecord: RequestListener = (request, response) => {
  request.resume();
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(record));
};

/** A client that makes one attempt a call, over the transport it chooses by itself. */
export const clientOf = (baseUrl: string, options: ClientOptions = {}): PaymentsClient =>
  new PaymentsClient({ baseUrl, accessToken: 'planted-token', retries: 0, ...options });

/** The error that a call ends with. */
export async function errorOf(call: PromiseLike<unknown>): Promise<PaymentsError> {
  try {
    await call;
  } catch (error) {
    if (isPaymentsError(error)) return error;
    throw error;
  }
  throw new Error('the call succeeded');
}

/** A request's body as text. */
export async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
}

export const transfer = {
  requestId: '7d0d3f3e-59a1-4a0e-9d0b-2f1a0f1c2b3d',
  source: { userId: 'u-1' },
  destination: { userId: 'u-2' },
  amount: 12.5,
  currency: 'usdc',
  chain: 'POLYGON',
};
