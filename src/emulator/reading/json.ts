import { isDeeperThan, isRecord } from '../../values.ts';
import { ServiceProblem } from '../problem.ts';

const MAX_DEPTH = 32;

/** The JSON value of a request's text; a 400 where it is malformed or nested too deeply. */
export function requestJson(text: string, maxDepth = MAX_DEPTH): unknown {
  if (isDeeperThan(text, maxDepth)) {
    throw new ServiceProblem(400, 'MALFORMED_JSON', `The body is nested deeper than ${maxDepth} levels`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new ServiceProblem(400, 'MALFORMED_JSON', 'The body is not valid JSON');
  }
}

/** One text per JSON value, whatever the order of its keys: what makes two payloads the same payload. */
export function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (!isRecord(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/** The request's body as text, read no further than the limit: a 413 past it. */
export async function readText(request: Request, limit: number): Promise<string> {
  const announced = Number(request.headers.get('content-length') ?? '0');
  if (announced > limit) throw tooLarge(limit);
  if (request.body === null) return '';
  const reader = request.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.byteLength;
    if (size > limit) {
      await reader.cancel().catch(() => {});
      throw tooLarge(limit);
    }
    text += decoder.decode(value, { stream: true });
  }
}

function tooLarge(limit: number): ServiceProblem {
  return new ServiceProblem(413, 'BODY_TOO_LARGE', `The body is larger than ${limit} bytes`);
}
