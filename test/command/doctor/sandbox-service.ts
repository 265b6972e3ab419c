import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { PlainResponse } from './support.ts';

export type Json = Record<string, unknown>;

export interface Request {
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
  /** The refusal of a known key, in place of its record. */
  readonly refusal?: PlainResponse;
  readonly ignoresApproval?: boolean;
  /** Rejections say so and are not carried out. */
  readonly keepsPending?: boolean;
  /** The parameter that takes the cursor. */
  readonly takes?: string;
}

export const USER = 'user-under-test';
const time = (index: number) => new Date(Date.parse('2026-03-01T00:00:00Z') - index * 1000).toISOString();

/** A sandbox with state, written by hand: a user with wallets and accounts, and transfers with approvals. */
export function sandboxService(faults: Faults = {}) {
  const records = new Map<string, Json>();
  const approvals: Json[] = [];
  const wallets = Array.from({ length: 5 }, (_item, index) => ({
    address: `planted-${index}`,
    chain: 'BASE',
    createdAt: time(index),
  }));
  const accounts = wallets.map(({ address, createdAt }) => ({ id: address, status: 'ACTIVE', createdAt }));
  const requests: Request[] = [];

  const transfer = ({
    requestId,
    amount,
    currency,
    chain,
    source,
    destination,
    requireApproval,
  }: Json): Json => {
    const id = randomUUID();
    const isHeld = requireApproval === true && faults.ignoresApproval !== true;
    const transferType = 'WALLET.TRANSFER';
    const approval = {
      id: randomUUID(),
      transferId: id,
      transferType,
      status: 'PENDING',
      createdAt: time(0),
    };
    if (isHeld) approvals.push(approval);
    return {
      transferType,
      transferDetails: {
        ...{ id, requestId, amount, currency, chain, source, destination },
        status: isHeld ? 'PENDING_APPROVAL' : 'CREATED',
        ...(isHeld && { receipt: { approval } }),
      },
    };
  };

  const create = (body: Json): PlainResponse => {
    const key = String(body.requestId);
    const known = records.get(key);
    if (known !== undefined && faults.forgetsKeys !== true) return faults.refusal ?? { body: known };
    const record = transfer(body);
    records.set(key, record);
    return { body: record };
  };

  const reject = (approvalId: string): PlainResponse => {
    const approval = approvals.find(({ id }) => id === approvalId);
    if (approval === undefined) return problem(404, 'TRANSACTION_NOT_FOUND');
    if (faults.keepsPending !== true) approval.status = 'REJECTED';
    return { body: { success: true, message: 'ok', approvalId, status: 'REJECTED', timestamp: time(0) } };
  };

  /** A page of a list whose cursor is the time of the last record. */
  const page = (
    key: string,
    items: readonly { createdAt: string }[],
    query: URLSearchParams,
  ): PlainResponse => {
    const cursor = query.get(faults.takes ?? 'createdBefore');
    const rest = items.filter(({ createdAt }) => cursor === null || createdAt < cursor);
    const found = rest.slice(0, Number(query.get('limit') ?? 10));
    return { body: { count: found.length, [key]: found, nextCursor: found.at(-1)?.createdAt ?? null } };
  };

  const right = ({ method, path, query, body }: Request): PlainResponse => {
    const [, , area = '', owner = '', ...rest] = path.split('/');
    const last = path.split('/').at(-1) ?? '';
    if (path === '/v2/wallets/transfers') return create(body);
    if (area === 'transfer-approvals') {
      if (method === 'POST') return reject(owner);
      const pending = approvals.filter(({ status }) => status === 'PENDING');
      const offset = Number(query.get('offset') ?? 0);
      return {
        body: { success: true, message: 'ok', count: pending.length, approvals: pending.slice(offset) },
      };
    }
    if (owner !== USER) return problem(404, 'USER_NOT_FOUND');
    if (last === 'kyc')
      return { body: { userId: USER, kycInfo: { type: 'individual', firstName: 'Planted' } } };
    if (last === 'external') return page('externalWallets', wallets, query);
    if (rest.length === 1 && method === 'GET') return page('banks', accounts, query);
    if (rest.length === 1) {
      const account = { id: randomUUID(), status: 'ACTIVE', invalidFields: [], createdAt: time(9) };
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
    if (incoming.headers.authorization !== 'Bearer planted-token') return problem(401, 'UNAUTHORIZED');
    const body: Json = text === '' ? {} : JSON.parse(text);
    const request = { method: incoming.method ?? '', path: url.pathname, query: url.searchParams, body };
    requests.push(request);
    return faults.instead?.(request, () => right(request)) ?? right(request);
  };
  return { handle, requests, approvals, accounts };
}

export const problem = (status: number, error: string, errorDetails = 'planted words'): PlainResponse => ({
  status,
  body: { code: 100001, error, errorDetails },
});

export const isCreate = ({ method, path }: Request): boolean =>
  method === 'POST' && path === '/v2/wallets/transfers';

/** The record of a create, with its details changed. */
export function changed({ body }: PlainResponse, change: (details: Json) => void): PlainResponse {
  const record: { transferDetails: Json } = JSON.parse(JSON.stringify(body));
  if (record.transferDetails !== undefined) change(record.transferDetails);
  return { body: record };
}
