import { isCompressed } from './content-encoding.ts';

/** A response whose text is empty, or white space. */
interface EmptyResponse {
  readonly method: string;
  readonly status: number;
  readonly headers: Headers;
  /** True if it is sure that the response came over HTTP/1. A lost connection may end a body there. */
  readonly isOfHttp1: boolean;
}

/** The statuses of responses without a body. */
export const bodylessStatuses: readonly number[] = [204, 205, 304];

/**
 * Row 2: returns true if nothing shows that an empty body arrived whole. What a `fetch` makes of a compressed body that
 * is cut is empty; and so is, over HTTP/1, a body without a length and without chunks whose connection is lost.
 */
export function isMissingBody({ method, status, headers, isOfHttp1 }: EmptyResponse): boolean {
  if (method === 'HEAD' || bodylessStatuses.includes(status)) return false;
  return isCompressed(headers.get('content-encoding')) || (isOfHttp1 && !declaresEnd(headers));
}

const declaresEnd = (headers: Headers): boolean =>
  headers.has('content-length') || /\bchunked\s*$/i.test(headers.get('transfer-encoding') ?? '');
