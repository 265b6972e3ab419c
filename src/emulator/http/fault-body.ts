import type { Dialect } from '../dialect/dialect.ts';
import { isObject } from '../reading/json.ts';
import type { Fault } from '../state/faults.ts';

/** Per family of operations: an essential field of the response, and a field with an enum. */
const FIELDS: readonly (readonly [prefix: string, essential: string, enumeration: string])[] = [
  ['onramps.', 'transferDetails.id', 'transferDetails.status'],
  ['transfers.', 'transferDetails.id', 'transferDetails.status'],
  ['bridges.', 'transferDetails.id', 'transferDetails.status'],
  ['offramps.', 'transferDetails.id', 'transferDetails.status'],
  ['accounts.list', 'accounts', 'accounts.0.status'],
  ['accounts.', 'id', 'status'],
  ['approvals.list', 'approvals', 'approvals.0.status'],
  ['approvals.', 'approvalId', 'status'],
  ['reporting.', 'data', 'status'],
  ['kyc.', 'kycInfo', 'kycInfo.type'],
  ['externalWallets.', 'externalWallets', 'externalWallets.0.chain'],
];

/** Applies a fault to the body of a successful response. */
export function spoil(fault: Fault, operation: string, text: string, dialect: Dialect): string {
  if (fault.kind === 'malformed-json') return `${text.slice(0, -1)},}`;
  const [, ...fields] = FIELDS.find(([prefix]) => operation.startsWith(prefix)) ?? ['', '', ''];
  const body: unknown = JSON.parse(text);
  const [named = '', enumeration = ''] = fields.map((field) => inDialect(field, dialect));
  // Some dialects name the id of an account `accountId`.
  const essential = named === 'id' && isObject(body) && !('id' in body) ? 'accountId' : named;
  if (fault.kind === 'unknown-field' && isObject(body)) {
    body.fieldOfTomorrow = { since: 'the next version', values: [1, 2] };
    if (isObject(body.transferDetails)) body.transferDetails.fieldOfTomorrow = 'unknown to the spec';
  }
  if (fault.kind === 'unknown-enum') edit(body, fault.field ?? enumeration, () => 'STATE_OF_TOMORROW');
  if (fault.kind === 'missing-field') edit(body, fault.field ?? essential, () => undefined);
  if (fault.kind === 'wrong-type') {
    edit(body, fault.field ?? essential, (value) => (typeof value === 'number' ? 'not a number' : 12345));
  }
  return JSON.stringify(body);
}

/** A field as a dialect names it: lists stand under other keys. */
function inDialect(field: string, dialect: Dialect): string {
  const [list = '', ...rest] = field.split('.');
  const keys = new Map([
    ['accounts', dialect.accountListKey],
    ['approvals', dialect.approvalListKey],
    ['externalWallets', dialect.externalWalletListKey],
  ]);
  return [keys.get(list) ?? list, ...rest].join('.');
}

/** Replaces the value at a path, where the body has one there; `undefined` removes it. */
function edit(body: unknown, path: string, change: (value: unknown) => unknown): void {
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  let place: unknown = body;
  for (const key of keys) place = childOf(place, key);
  if (Array.isArray(place) && Number(last) in place) place[Number(last)] = change(place[Number(last)]);
  else if (isObject(place) && Object.hasOwn(place, last)) place[last] = change(place[last]);
}

function childOf(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return value[Number(key)];
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
