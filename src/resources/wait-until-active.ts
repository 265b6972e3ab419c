import {
  AbortedError,
  AccountRejectedError,
  ResponseValidationError,
  TimeoutError,
} from '../errors/index.ts';
import { verdictOf } from '../helpers/account.ts';
import { isFieldPath } from '../schemas/field-names.ts';
import { Interrupted, TimeLimits } from '../transport/attempt/time-limits.ts';
import { checkLimit } from '../transport/request/limits-check.ts';
import { checkRequestOptions, failWith } from '../transport/request/request-options.ts';
import type { RequestOptions, Transport } from '../transport/types.ts';
import type { Account } from '../types/account.ts';

/** Options of `accounts.waitUntilActive`. */
export interface WaitOptions extends RequestOptions {
  /** Milliseconds between two requests. Default 2000. */
  interval?: number;
}

const operation = 'accounts.waitUntilActive';

/** Milliseconds to wait at most, unless the caller or the client's `deadline` says otherwise. */
const usualDeadline = 60_000;

/** Looks at an account until it is decided, the deadline is over, or the caller gives up. */
export async function waitUntilActive(
  look: (options: RequestOptions) => Promise<Account>,
  accountId: string,
  given: WaitOptions | undefined,
  { deadline: clientDeadline, sleep }: Pick<Transport, 'deadline' | 'sleep'>,
): Promise<Account> {
  const checked: WaitOptions = checkRequestOptions(given, operation, { interval: true }) ?? {};
  const usual = Math.min(clientDeadline ?? usualDeadline, usualDeadline);
  const { interval = 2_000, deadline = usual, ...options } = checked;
  checkLimit(interval, 'interval', failWith(operation));
  const limits = new TimeLimits(options.signal, deadline);
  let looks = 0;
  try {
    for (;;) {
      looks += 1;
      const account = await look({ ...options, deadline: Math.max(limits.remaining, 1) });
      const verdict = verdictOf(account);
      if (verdict === 'active') return account;
      if (verdict === 'refused') throw rejected(account, accountId, looks);
      if (verdict === 'unreadable') throw statusMissing(account, looks);
      await limits.sleep(interval, sleep);
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

function rejected(account: Account, accountId: string, attempts: number): AccountRejectedError {
  const given: unknown = account.invalidFields;
  const invalidFields = Array.isArray(given) ? given.filter((field) => typeof field === 'string') : [];
  const fields = invalidFields.filter((field) => isFieldPath(field)).join(', ');
  const words = fields === '' ? 'the service named no field' : `invalid: ${fields}`;
  const reason: unknown = account.reason;
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
    `${operation}: the account has neither \`status\` nor \`isValid\`. \`error.body\` holds it.`,
    {
      operation,
      attempts,
      outcome: 'succeeded',
      issues: [{ path: 'status', code: 'invalid_type' }],
      body: account,
    },
  );
}
