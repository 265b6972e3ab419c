import type { PlainResponse } from './support.ts';

const start = Date.parse('2026-03-01T00:00:00Z');
export const records = Array.from({ length: 5 }, (_item, index) => ({
  id: `planted-id-${index}`,
  isValid: true,
  accountType: 'us',
  createdAt: new Date(start - index * 1000).toISOString(),
}));

/** The same records as approvals that wait. */
export const approvals = records.map(({ id, createdAt }) => ({
  id,
  transferId: id,
  transferType: 'OFFRAMP',
  status: 'PENDING',
  createdAt,
}));

export interface Habits {
  takes?: string;
  strict?: boolean;
  body?: (path: string) => PlainResponse | undefined;
}

/** A service in the style of the field: `banks`, a cursor that is a time, errors by name. */
export function service({ takes = 'createdBefore', strict = false, body }: Habits = {}) {
  return (url: URL, { headers }: { headers: { authorization?: string | undefined } }): PlainResponse => {
    const { pathname, searchParams } = url;
    const limits = { headers: { 'x-ratelimit-remaining': '41' } };
    if (headers.authorization !== 'Bearer planted-token')
      return { status: 401, body: { code: 200001, error: 'UNAUTHORIZED', errorDetails: 'planted words' } };
    const other = body?.(pathname);
    if (other !== undefined) return other;
    if (pathname === '/v2/users/planted-user/kyc')
      return {
        ...limits,
        body: { userId: 'planted-user', kycInfo: { type: 'individual', firstName: 'Planted' } },
      };
    if (/^\/v2\/users\/[^/]+\/kyc$/.test(pathname))
      return {
        status: 404,
        body: { status: 'error', error: { code: 'USER_NOT_FOUND', message: 'planted words' } },
      };
    if (pathname === '/v2/transfer-approvals') {
      const limit = Number(searchParams.get('limit') ?? 20);
      if (limit < 1)
        return {
          status: 400,
          body: { code: 100001, error: 'FIELD_VALIDATION_ERROR', errorDetails: 'planted' },
        };
      const offset = Number(searchParams.get('offset') ?? 0);
      return {
        body: { success: true, message: 'ok', count: 5, approvals: approvals.slice(offset, offset + limit) },
      };
    }
    const list = /^\/v2\/users\/planted-user\/(accounts|wallets\/external)$/.exec(pathname)?.[1];
    if (list !== undefined) {
      const known = [takes, 'limit', 'rail'];
      if (strict && [...searchParams.keys()].some((name) => !known.includes(name)))
        return { status: 400, body: { error: 'FIELD_VALIDATION_ERROR' } };
      const cursor = searchParams.get(takes);
      const rest = records.filter(({ createdAt }) => cursor === null || createdAt < cursor);
      const page = rest.slice(0, Number(searchParams.get('limit') ?? 10));
      const items =
        list === 'accounts'
          ? page
          : page.map(({ id, createdAt }) => ({ address: id, chain: 'BASE', createdAt }));
      return {
        body: {
          count: page.length,
          [list === 'accounts' ? 'banks' : 'externalWallets']: items,
          nextCursor: page.at(-1)?.createdAt ?? null,
        },
      };
    }
    if (pathname.startsWith('/v2/users/planted-user/accounts/')) return { body: records[0] };
    return { status: 404, body: { status: 'error', error: { code: 'NOT_FOUND', message: 'planted' } } };
  };
}
