import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { PlainResponse } from './support.ts';

type Json = Record<string, unknown>;

interface Request {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Json;
}

/** What a service may do wrong. Without any of these, it is right. */
export interface Faults {
  /** Responds instead of the service; undefined lets the service respond. */
  readonly instead?:
    | ((request: Request, right: () => PlainResponse) => PlainResponse | undefined)
    | undefined;
  /** Every create makes a record, whatever its `requestId`. */
  readonly forgetsKeys?: boolean;
  /** A second transfer is made for a known key, and the first is shown. */
  readonly hidesSecond?: boolean;
  /** The refusal of a known key, in place of its record. */
  readonly refusal?: PlainResponse;
  readonly ignoresApproval?: boolean;
  /** A decision can be taken again. */
  readonly decidesTwice?: boolean;
  /** Rejections say so and are not carried out. */
  readonly keepsPending?: boolean;
}

export const USER = 'user-under-test';
const time = (index: number) => new Date(Date.parse('2026-03-01T00:00:00Z') - index * 1000).toISOString();

/** A sandbox with state, written by hand: transfers with approvals, onramps and accounts. */
export function sandboxService(faults: Faults = {}) {
  const records = new Map<string, Json>();
  const approvals: Json[] = [];
  const wallets = Array.from({ length: 5 }, (_item, index) => ({
    address: `address-${index}`,
    chain: 'BASE',
    createdAt: time(index),
  }));
  const accounts = wallets.map(({ address, createdAt }) => ({ id: address, status: 'ACTIVE', createdAt }));
  const requests: Request[] = [];

  const transfer = (body: Json, transferType: string): Json => {
    const id = randomUUID();
    const held = body.requireApproval === true && faults.ignoresApproval !== true;
    const approval = {
      id: randomUUID(),
      transferId: id,
      transferType,
      status: 'PENDING',
      createdAt: time(0),
      votes: [],
    };
    if (held) approvals.push(approval);
    const { requestId, amount, currency, chain, source, destination } = body;
    return {
      transferType,
      transferDetails: {
        id,
        requestId,
        status: held ? 'PENDING_APPROVAL' : 'CREATED',
        ...{ amount, currency, chain, source, destination },
        ...(held && { receipt: { approval } }),
      },
    };
  };

  const onramp = ({ requestId, source, destination }: Json): Json => ({
    transferType: 'ONRAMP',
    transferDetails: {
      id: randomUUID(),
      requestId,
      status: 'AWAITING_FUNDS',
      createdAt: time(0),
      updatedAt: time(0),
      source,
      destination,
    },
  });

  const keyed = (body: Json, make: () => Json): PlainResponse => {
    const key = String(body.requestId);
    const known = records.get(key);
    if (known !== undefined && faults.forgetsKeys !== true) {
      if (faults.hidesSecond === true) make();
      return faults.refusal ?? { body: known };
    }
    const record = make();
    records.set(key, record);
    return { body: record };
  };

  const decide = (approvalId: string, status: string): PlainResponse => {
    const approval = approvals.find(({ id }) => id === approvalId);
    if (approval === undefined) return problem(404, 'TRANSACTION_NOT_FOUND');
    if (approval.status !== 'PENDING' && faults.decidesTwice !== true) return problem(400, 'INVALID_STATUS');
    if (faults.keepsPending !== true) approval.status = status;
    return { body: { success: true, message: 'ok', approvalId, status, timestamp: time(0) } };
  };

  const right = ({ method, path, query, body }: Request): PlainResponse => {
    const [, , area = '', ...rest] = path.split('/');
    const last = rest.at(-1) ?? '';
    if (area === 'transfer-approvals') {
      if (method === 'POST') return decide(rest[0] ?? '', last === 'approve' ? 'APPROVED' : 'REJECTED');
      if (Number(query.get('limit') ?? 20) < 1) return problem(400, 'FIELD_VALIDATION_ERROR');
      const offset = Number(query.get('offset') ?? 0);
      const pending = approvals.filter(({ status }) => status === 'PENDING');
      const page = pending.slice(offset, offset + Number(query.get('limit') ?? 20));
      return { body: { success: true, message: 'ok', count: pending.length, approvals: page } };
    }
    if (area === 'wallets')
      return keyed(body, () =>
        transfer(body, last === 'batches' ? 'WALLET.TRANSFER.BATCH' : 'WALLET.TRANSFER'),
      );
    if (area === 'onramps') return keyed(body, () => onramp(body));
    if (rest[0] !== USER) return problem(404, 'USER_NOT_FOUND');
    if (last === 'kyc') return { body: { userId: USER, kycInfo: { type: 'individual' } } };
    if (last === 'external') return cursorPage('externalWallets', wallets, query);
    if (last === 'accounts' && method === 'GET') return cursorPage('banks', accounts, query);
    if (last === 'accounts') {
      const account = {
        id: randomUUID(),
        status: 'ACTIVE',
        invalidFields: [],
        message: 'ok',
        createdAt: time(9),
      };
      accounts.push(account);
      return { body: account };
    }
    const index = accounts.findIndex(({ id }) => id === last);
    const account = accounts[index];
    if (account === undefined) return problem(404, 'ACCOUNT_NOT_FOUND');
    if (method === 'DELETE') accounts.splice(index, 1);
    return { body: { ...account, status: method === 'DELETE' ? 'INACTIVE' : account.status } };
  };

  const handle = (
    url: URL,
    incoming: Pick<IncomingMessage, 'method' | 'headers'>,
    text: string,
  ): PlainResponse => {
    if (incoming.headers.authorization !== 'Bearer planted-token')
      return { status: 401, body: { code: 200001, error: 'UNAUTHORIZED', errorDetails: 'no' } };
    const body: Json = text === '' ? {} : JSON.parse(text);
    const request = { method: incoming.method ?? '', path: url.pathname, query: url.searchParams, body };
    requests.push(request);
    return faults.instead?.(request, () => right(request)) ?? right(request);
  };
  return { handle, requests, approvals };
}

export const problem = (status: number, error: string, errorDetails = 'words'): PlainResponse => ({
  status,
  body: { code: 100001, error, errorDetails },
});

/** A page of a list whose cursor is the time of the last record. */
export function cursorPage(
  key: string,
  records: readonly { createdAt: string }[],
  query: URLSearchParams,
): PlainResponse {
  const before = query.get('createdBefore');
  const rest = records.filter(({ createdAt }) => before === null || createdAt < before);
  const page = rest.slice(0, Number(query.get('limit') ?? 10));
  return { body: { count: page.length, [key]: page, nextCursor: page.at(-1)?.createdAt ?? null } };
}
