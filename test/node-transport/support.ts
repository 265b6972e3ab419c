import type { IncomingMessage, RequestListener } from 'node:http';
import { onTestFinished } from 'vitest';

export { clientAt, failure as errorOf } from '../client/support.ts';

export const record = { userId: 'u-1', kycInfo: { firstName: 'Zoë' } };

/** Responds to every request with the KYC record. */
export const respondWithRecord: RequestListener = (request, response) => {
  request.resume();
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(record));
};

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

/** A module of undici, of any version. */
interface Undici {
  getGlobalDispatcher: (...given: never[]) => unknown;
  setGlobalDispatcher: (...given: never[]) => unknown;
}

/** Makes a dispatcher the one of this process, by the function of its version of undici, until the test ends. */
export function useGlobally(dispatcher: unknown, undici: Undici): void {
  const slots = ['undici.globalDispatcher.1', 'undici.globalDispatcher.2'].map(Symbol.for);
  const before = slots.map((slot) => Reflect.get(globalThis, slot));
  Reflect.apply(undici.setGlobalDispatcher, undefined, [dispatcher]);
  onTestFinished(() => {
    slots.forEach((slot, index) => void Reflect.set(globalThis, slot, before[index]));
  });
}

/** From undici 8 on, Node reads a slot that undici 6 does not write. */
export const readsSlotOfUndici6 = Number.parseInt(process.versions.undici ?? '', 10) < 8;
