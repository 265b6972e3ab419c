import type { Seen } from './support.ts';

/** The body with the ids of the request that it answers, where it has any. The identity tests do without. */
export function inStep(body: unknown, { url, body: sent }: Pick<Seen, 'url' | 'body'>): unknown {
  const path = new URL(url).pathname.split('/').map(decodeURIComponent);
  const [, , noun, id = '', part, accountId] = path;
  const requestId: unknown = sent === undefined ? undefined : JSON.parse(sent).requestId;
  if (noun === 'users') {
    const ids = part === 'accounts' && accountId !== undefined ? { id: accountId } : {};
    return replace(body, { userId: id, ...ids });
  }
  if (noun === 'transfer-approvals') return replace(body, { approvalId: id });
  if (noun === 'onramps' && id !== '') return replaceDetails(body, { id });
  return replaceDetails(body, { requestId });
}

function replaceDetails(body: unknown, ids: Record<string, unknown>): unknown {
  return isRecord(body) && isRecord(body.transferDetails)
    ? { ...body, transferDetails: replace(body.transferDetails, ids) }
    : body;
}

function replace(body: unknown, ids: Record<string, unknown>): unknown {
  if (!isRecord(body)) return body;
  const present = Object.entries(ids).filter(([name]) => typeof body[name] === 'string');
  return { ...body, ...Object.fromEntries(present) };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
