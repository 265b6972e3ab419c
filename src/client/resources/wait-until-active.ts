import * as z from 'zod/mini';
import {
  AbortedError,
  AccountRejectedError,
  ResponseValidationError,
  TimeoutError,
} from '../../shared/errors/index.ts';
import { fieldNamesIn } from '../../shared/schema/fields.ts';
import { maxDuration } from '../../shared/schema/option-values.ts';
import { check, lazy, matching, strictObject } from '../../shared/schema/schema.ts';
import { type Account, account as accountSchema } from '../../shared/service/accounts.ts';
import { checkedCallOptions, type RequestOptions, requestOptionFields } from '../call/call-options.ts';
import { Interrupted, TimeLimits } from '../call/limits.ts';
import type { Transport } from '../call/transport.ts';
import type { Operation } from '../call/types.ts';
import { verdictOf } from '../helpers/account.ts';

/** Options of `accounts.waitUntilActive`. */
export interface WaitOptions extends RequestOptions {
  /** Milliseconds between two requests. Default 2000. */
  interval?: number | undefined;
}

const intervalWords = `must be a number above 0 and at most ${maxDuration}`;

/** Milliseconds. In tests it is short. */
const interval = () =>
  z
    .number({ error: intervalWords })
    .check(check((value) => value > 0 && value <= maxDuration, intervalWords));

const waitOptions = /* @__PURE__ */ lazy(() =>
  matching<WaitOptions>()(strictObject({ ...requestOptionFields(), interval: z.optional(interval()) })),
);

const waitOperation = 'accounts.waitUntilActive';

/** Milliseconds to wait at most, unless the caller or the client's `deadline` says otherwise. */
const usualDeadline = 60_000;

/** Polls an account until it is decided, the deadline is over, or the caller's signal fires. */
export async function waitUntilActive(
  transport: Transport,
  retrieve: Operation<Account>,
  path: { readonly userId: string; readonly accountId: string },
  given: WaitOptions | undefined,
): Promise<Account> {
  const usual = Math.min(transport.deadline ?? usualDeadline, usualDeadline);
  const checked = checkedCallOptions(waitOperation, waitOptions(), given === undefined ? {} : given);
  const { interval: pause = 2_000, deadline = usual, ...options } = checked;
  const limits = new TimeLimits(options.signal, deadline);
  let looks = 0;
  try {
    for (;;) {
      looks += 1;
      const left = { total: deadline, remaining: limits.remaining };
      const account = await transport.call(retrieve, { path, deadline: left }, options);
      const verdict = verdictOf(account);
      if (verdict === 'active') return account;
      if (verdict === 'refused') throw rejected(account, path.accountId, looks);
      if (verdict === 'unreadable') throw statusMissing(account, looks);
      await limits.sleep(pause);
    }
  } catch (thrown) {
    if (!(thrown instanceof Interrupted)) throw thrown;
    const details = { operation: waitOperation, attempts: looks, cause: thrown.reason } as const;
    if (thrown.by === 'aborted')
      throw new AbortedError(
        `${waitOperation} was aborted by the caller's signal. Nothing was changed.`,
        details,
      );
    throw new TimeoutError(
      `${waitOperation} timed out: the account was not decided within ${deadline} ms (\`deadline\`). Nothing was changed: wait again.`,
      'deadline',
      details,
    );
  } finally {
    limits.dispose();
  }
}

/** The path of a field of the schema, or of a place in a list. Anything else, such as a number, may be a value. */
const isFieldPath = (path: string, names: ReadonlySet<string>): boolean =>
  path.split(/\.|\[|\]\.?/).every((part) => part === '' || names.has(part) || /^\d{1,2}$/.test(part));

function rejected(account: Account, accountId: string, attempts: number): AccountRejectedError {
  // A live service may send other types than documented.
  const { invalidFields: given, reason }: { invalidFields?: unknown; reason?: unknown } = account;
  const invalidFields = Array.isArray(given) ? given.filter((field) => typeof field === 'string') : [];
  const names = new Set(fieldNamesIn([accountSchema()]));
  const fields = invalidFields.filter((field) => isFieldPath(field, names)).join(', ');
  const words = fields === '' ? 'the service named no field' : `invalid: ${fields}`;
  const what = String(account.status).toUpperCase() === 'INACTIVE' ? 'is inactive' : 'was rejected';
  const message = `${waitOperation}: the account ${what} (${words}). It cannot be used: correct \`error.invalidFields\` and create it again.`;
  return new AccountRejectedError(message, {
    operation: waitOperation,
    outcome: 'succeeded',
    attempts,
    accountId,
    invalidFields,
    ...(typeof reason === 'string' && { reason }),
  });
}

function statusMissing(account: Account, attempts: number): ResponseValidationError {
  return new ResponseValidationError(
    `${waitOperation}: the account has neither \`status\` nor \`isValid\`. Nothing was changed. Wait for the event ACCOUNT.ONRAMP.UPDATE or ACCOUNT.OFFRAMP.UPDATE. \`error.body\` has the response.`,
    {
      operation: waitOperation,
      attempts,
      outcome: 'succeeded',
      issues: [{ path: 'status', code: 'invalid_type' }],
      body: account,
    },
  );
}
