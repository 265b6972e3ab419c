import { BodyFailure } from '../attempt/wire.ts';

/** Reads a body as UTF-8 text, giving up as soon as it outgrows the limit. */
export async function readText(response: Response, limit: number): Promise<string> {
  const { body, status, headers } = response;
  if (typeof status !== 'number' || typeof headers?.get !== 'function')
    throw new TypeError('fetch did not give a Response');
  if (body === null || body === undefined) return '';
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return text + decoder.decode();
      size += value.byteLength;
      if (size > limit) {
        reader.cancel().catch(() => undefined);
        throw new BodyFailure('too-large', status, headers);
      }
      text += decoder.decode(value, { stream: true });
    }
  } catch (error) {
    if (error instanceof BodyFailure) throw error;
    throw new BodyFailure('cut', status, headers, error);
  }
}
