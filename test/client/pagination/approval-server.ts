import type { FetchLike } from '../../../src/client/index.ts';

/** A service that keeps a list of pending approvals, newest first, and pages it by `limit` and `offset`. */
export class ApprovalServer {
  pending: string[];
  readonly decided: string[] = [];
  readonly queries: string[] = [];

  constructor(count: number) {
    this.pending = Array.from({ length: count }, (_item, index) => `a${index}`);
  }

  readonly fetch: FetchLike = async (url, init) => {
    const { pathname, searchParams, search } = new URL(url);
    const [, id, decision] = /^\/v2\/transfer-approvals\/([^/]+)\/(approve|reject)$/.exec(pathname) ?? [];
    if (init.method === 'POST' && id !== undefined) {
      return this.#decide(id, decision === 'approve' ? 'APPROVED' : 'REJECTED');
    }
    this.queries.push(search);
    const limit = Number(searchParams.get('limit') ?? 20);
    const offset = Number(searchParams.get('offset') ?? 0);
    if (limit < 1 || limit > 100 || offset < 0) return Response.json({ error: 'range' }, { status: 400 });
    const page = this.pending.slice(offset, offset + limit);
    return Response.json({ success: true, count: this.pending.length, approvals: page.map(approval) });
  };

  #decide(id: string, status: string): Response {
    if (!this.pending.includes(id)) return Response.json({ error: 'gone' }, { status: 404 });
    this.pending = this.pending.filter((pending) => pending !== id);
    this.decided.push(id);
    return Response.json({ success: true, approvalId: id, status, timestamp: 'now' });
  }
}

const approval = (id: string) => ({
  id,
  transferId: `t-${id}`,
  transferType: 'WALLET.TRANSFER',
  status: 'PENDING',
  createdAt: '2026-11-20T10:00:00.000Z',
});
