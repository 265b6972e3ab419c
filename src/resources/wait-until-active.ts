import {
  AbortedError,
  AccountRejectedError,
  APIError,
  PaginationError,
  ResponseValidationError,
  TimeoutError,
} from '../errors/index.ts';
import { type AccountVerdict, verdictOf } from '../helpers/account.ts';
import { accountShape } from '../schemas/account.ts';
import { publicWords } from '../schemas/public-words.ts';
import { isRecord } from '../shared/values.ts';
import { Interrupted, TimeLimits } from '../transport/limits.ts';
import { checkLimit, checkRequestOptions, failWith, withRemaining } from '../transport/request-options.ts';
import type { RequestOptions, Transport } from '../transport/types.ts';
import type { Account } from '../types/account.ts';

/** Options of `accounts.waitUntilActive`. */
export interface WaitOptions extends RequestOptions {
  /** Milliseconds between two requests. Default 2000. */
  interval?: number | undefined;
}

const operation = 'accounts.waitUntilActive';

/** Milliseconds to wait at most, unless the caller or the client's `deadline` says otherwise. */
const usualDeadline = 60_000;

/** The fields of a record that tell the state of its account. A live service may send other types than documented. */
type AccountWord = { readonly [Field in 'status' | 'isValid' | 'invalidFields' | 'reason']?: unknown };

/** The number of created accounts that a client remembers. */
const mostCreated = 1_000;

/** What `create` said of each account: the records of some services do not say whether an account is active. */
const createdBy = /* @__PURE__ */ new WeakMap<object, Map<string, AccountWord>>();

/** Remembers what the response of `create` says. */
export function noteCreated(transport: object, body: unknown): void {
  if (!isRecord(body)) return;
  const { status, isValid, invalidFields, reason } = body;
  const id = body.id ?? body.accountId;
  if (typeof id !== 'string') return;
  const created = createdBy.get(transport) ?? new Map<string, AccountWord>();
  createdBy.set(transport, created.set(id, { status, isValid, invalidFields, reason }));
  const [oldest = id] = created.keys();
  if (created.size > mostCreated) created.delete(oldest);
}

/** The operations that read the state of an account. */
interface Accounts {
  retrieve(userId: string, accountId: string, options: RequestOptions): Promise<Account>;
  list(userId: string, params: object, options: RequestOptions): AsyncIterable<Account>;
}

/** An account to wait for. */
interface Awaited {
  readonly accounts: Accounts;
  readonly userId: string;
  readonly accountId: string;
}

/** Polls an account until it is decided, the deadline is over, or the caller's signal fires. */
export async function waitUntilActive(
  account: Awaited,
  given: WaitOptions | undefined,
  transport: Pick<Transport, 'deadline'>,
): Promise<Account> {
  const { deadline: clientDeadline } = transport;
  const created = createdBy.get(transport)?.get(account.accountId);
  const checked: WaitOptions = checkRequestOptions(given, operation, { interval: true }) ?? {};
  const usual = Math.min(clientDeadline ?? usualDeadline, usualDeadline);
  const { interval = 2_000, deadline = usual, ...options } = checked;
  checkLimit(interval, 'interval', failWith(operation));
  const limits = new TimeLimits(options.signal, deadline);
  let looks = 0;
  try {
    for (;;) {
      looks += 1;
      const look = await lookAt(account, created, () => withRemaining(options, limits.remaining));
      if (look.verdict === 'active') return look.account;
      if (look.verdict === 'refused') throw rejected(look.word, account.accountId, looks);
      if (look.verdict === 'unreadable') throw statusMissing(look.account, looks);
      await limits.sleep(interval);
    }
  } catch (thrown) {
    if (!(thrown instanceof Interrupted)) throw thrown;
    const details = { operation, attempts: looks, cause: thrown.reason } as const;
    if (thrown.by === 'aborted')
      throw new AbortedError(
        `${operation} was aborted by the caller's signal. Nothing was changed.`,
        details,
      );
    throw new TimeoutError(
      `${operation} timed out: the account was not decided within ${deadline} ms (\`deadline\`). Nothing was changed: wait again.`,
      'deadline',
      details,
    );
  } finally {
    limits.dispose();
  }
}

interface Look {
  readonly account: Account;
  readonly verdict: AccountVerdict;
  readonly word: AccountWord;
}

/** A record without a verdict may be that of an account of which the service has said more elsewhere. */
async function lookAt(
  awaited: Awaited,
  created: AccountWord | undefined,
  options: () => RequestOptions,
): Promise<Look> {
  const { accounts, userId, accountId } = awaited;
  const account = await accounts.retrieve(userId, accountId, options());
  const verdict = verdictOf(account);
  if (verdict !== 'unreadable') return { account, verdict, word: account };
  const before = created === undefined ? 'unreadable' : verdictOf(created);
  if (created !== undefined && (before === 'active' || before === 'refused'))
    return { account, verdict: before, word: created };
  const found = (await findIn(awaited, options())) ?? account;
  return { account: found, verdict: verdictOf(found), word: found };
}

/** Finds an account in the list of the user's accounts. A list that cannot be had tells nothing. */
async function findIn({ accounts, userId, accountId }: Awaited, options: RequestOptions) {
  try {
    for await (const account of accounts.list(userId, {}, options)) {
      if (account.id === accountId || account.accountId === accountId) return account;
    }
  } catch (error) {
    const tellsNothing =
      (error instanceof APIError && error.status < 500) ||
      error instanceof ResponseValidationError ||
      error instanceof PaginationError;
    if (!tellsNothing) throw error;
  }
  return undefined;
}

/** The path of a field of the schema, or of a place in a list. Anything else, such as a number, may be a value. */
const isFieldPath = (path: string, names: ReadonlySet<string>): boolean =>
  path.split(/\.|\[|\]\.?/).every((part) => part === '' || names.has(part) || /^\d{1,2}$/.test(part));

function rejected(account: AccountWord, accountId: string, attempts: number): AccountRejectedError {
  const { invalidFields: given, reason } = account;
  const invalidFields = Array.isArray(given) ? given.filter((field) => typeof field === 'string') : [];
  const names = publicWords(accountShape.schema());
  const fields = invalidFields.filter((field) => isFieldPath(field, names)).join(', ');
  const words = fields === '' ? 'the service named no field' : `invalid: ${fields}`;
  const what = String(account.status).toUpperCase() === 'INACTIVE' ? 'is inactive' : 'was rejected';
  const message = `${operation}: the account ${what} (${words}). It cannot be used: correct \`error.invalidFields\` and create it again.`;
  return new AccountRejectedError(message, {
    operation,
    attempts,
    accountId,
    invalidFields,
    ...(typeof reason === 'string' && { reason }),
  });
}

function statusMissing(account: Account, attempts: number): ResponseValidationError {
  return new ResponseValidationError(
    `${operation}: the account has neither \`status\` nor \`isValid\`. Nothing was changed. Wait for the event ACCOUNT.ONRAMP.UPDATE or ACCOUNT.OFFRAMP.UPDATE. \`error.body\` has the response.`,
    {
      operation,
      attempts,
      outcome: 'succeeded',
      issues: [{ path: 'status', code: 'invalid_type' }],
      body: account,
    },
  );
}
