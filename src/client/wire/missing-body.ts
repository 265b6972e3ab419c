import { isCompressed } from './content-encoding.ts';

/** The statuses of responses without a body. */
export const bodylessStatuses: readonly number[] = [204, 205, 304];

/**
 * Row 2 (docs/guides/outcomes.md): returns true if nothing shows that an empty body arrived whole. Two bodies look empty
 * when they are cut: a compressed one, after a `fetch` has read it; and, over HTTP/1, one that declares neither a length
 * nor chunks.
 *
 * @param isOfHttp1 - True if it is sure that the response came over HTTP/1.
 */
export function isMissingBody(method: string, status: number, headers: Headers, isOfHttp1: boolean): boolean {
  if (method === 'HEAD' || bodylessStatuses.includes(status)) return false;
  return isCompressed(headers.get('content-encoding')) || (isOfHttp1 && !declaresEnd(headers));
}

const declaresEnd = (headers: Headers): boolean =>
  headers.has('content-length') || /\bchunked\s*$/i.test(headers.get('transfer-encoding') ?? '');
