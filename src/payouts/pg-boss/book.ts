import * as z from 'zod/mini';
import { oneFrom, validDate } from '../../shared/schema/option-values.ts';
import { anyText, lazy, matching, strictObject } from '../../shared/schema/schema.ts';
import { isRecord } from '../../shared/values.ts';
import { checkedInput } from '../rules/checks.ts';
import { plainId } from '../rules/evidence.ts';
import type { PayoutSituation, PayoutState } from '../rules/situation.ts';
import { COMMAND_KINDS, type CommandKind } from './command-kinds.ts';
import type { Sql } from './engine.ts';
import { inPages, PAGE, write } from './query.ts';
import { commandRow } from './rows.ts';
import {
  type CheckedScope,
  filterWords,
  MAY_BE_ABOUT,
  type PayoutScope,
  scopeFields,
  scopeFrom,
  scopeValues,
  timesFrom,
} from './scope.ts';

/** A command that was given, as the book keeps it. */
export interface PayoutCommand {
  /** The command, by the name of its method. */
  readonly kind: CommandKind;
  /** The time. */
  readonly at: Date;
  /**
   * The person who decided; `maxRefusals` for the hold that this option makes. Empty for a cancellation by a message that named
   * nobody.
   */
  readonly by: string;
  /** Why: of `hold` and `cancel`; else null. */
  readonly reason: string | null;
  /** The user who pays, by the service's id; null for any. */
  readonly payer: string | null;
  /** Your own name of the set that it was about; null for any. Of one payment: that of its order, null where it has none. */
  readonly group: string | null;
  /** The order, by your own name; null for any. */
  readonly id: string | null;
  /** The idempotency key of the payment that was settled, or is paid again; else null. */
  readonly requestId: string | null;
  /** The state that a person found out, of `settle`; else null. */
  readonly state: PayoutState | null;
  /** The transfer that a person found out, of `settle`; else null. */
  readonly transferId: string | null;
  /** The idempotency key of the new round, of `payAgain`; else null. */
  readonly newRequestId: string | null;
}

/** Which commands are read: those that are, or may be, about a scope. */
export interface PayoutCommandFilter extends PayoutScope {
  /** The command, by the name of its method. */
  readonly kind?: CommandKind;
  /** The person who decided, exactly as the command had it. */
  readonly by?: string;
  /** The first instant of a range. */
  readonly since?: Date;
  /** The first instant after the range. */
  readonly until?: Date;
}

/** The book of commands. */
export interface PayoutBook {
  /**
   * Reads the commands that had an effect, the oldest first: who held, resumed, cancelled, settled, paid again and
   * restored, when and why. A second command that changed nothing is not among them. The book is written in the transaction of each command; nothing
   * changes or deletes it. It reads in pages.
   *
   * @param filter - Commands about a payer, a group or an id include those about more, such as everything.
   * @throws InvalidRequestError that names the field of the filter, at the first command.
   * @example
   * ```ts
   * for await (const { at, kind, by, reason } of payouts.commands({ group: '2026-11' })) console.log(at, kind, by, reason);
   * ```
   */
  commands(filter?: PayoutCommandFilter): AsyncIterable<PayoutCommand>;
}

/** A command that is written into the book. */
export interface NewCommand extends Partial<CheckedScope> {
  readonly kind: CommandKind;
  readonly by: string;
  readonly reason?: string;
  readonly requestId?: string;
  readonly state?: PayoutState;
  readonly transferId?: string | null;
  readonly newRequestId?: string;
}

/** Writes a command into the book, in the transaction of its effect. */
export const noteCommand = (sql: Sql, command: NewCommand): Promise<unknown> =>
  write(
    sql,
    `insert into payout_command (command_id, at, kind, decided_by, reason, payer, group_name, id, request_id, state, transfer_id,
       new_request_id)
     values ($1, clock_timestamp(), $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      crypto.randomUUID(),
      command.kind,
      command.by.trim(),
      command.reason ?? null,
      command.payer ?? null,
      command.group ?? null,
      command.id ?? null,
      command.requestId ?? null,
      command.state ?? null,
      command.transferId ?? null,
      command.newRequestId ?? null,
    ],
  );

/** Returns the command that a message from elsewhere was, if it had an effect. */
export function commandIn(
  message: unknown,
  before: PayoutSituation,
  after: PayoutSituation,
): NewCommand | undefined {
  if (!isRecord(message)) return undefined;
  const { payer, group, id } = before.order;
  const by = typeof message.by === 'string' ? message.by : '';
  if (message.type === 'cancel') {
    if (JSON.stringify(before.parts) === JSON.stringify(after.parts)) return undefined;
    const reason = typeof message.reason === 'string' ? { reason: message.reason } : {};
    return { kind: 'cancel', by, ...reason, payer, group, id };
  }
  if (message.type !== 'person') return undefined;
  const named = after.parts.find(
    ({ requestId }) => plainId(requestId) === plainId(String(message.requestId)),
  );
  const old = before.parts.find(({ requestId }) => requestId === named?.requestId);
  const isSeen = after.notices.length < before.notices.length;
  if (named === undefined || named.state !== message.state || (named.state === old?.state && !isSeen))
    return undefined;
  const { requestId, state, transferId } = named;
  return { kind: 'settle', by, payer, group, id, requestId, state, transferId };
}

const filterSchema = /* @__PURE__ */ lazy(() =>
  matching<PayoutCommandFilter>()(
    strictObject({
      ...scopeFields(),
      kind: z.optional(oneFrom(COMMAND_KINDS)),
      by: z.optional(anyText()),
      since: z.optional(validDate()),
      until: z.optional(validDate()),
    }),
  ),
);

export async function* readCommands(
  sql: Sql,
  given: PayoutCommandFilter = {},
): AsyncGenerator<PayoutCommand> {
  const filter = checkedInput(filterSchema(), given, filterWords);
  const { since, until } = timesFrom(filter);
  const values = [
    ...scopeValues(scopeFrom(filter)),
    filter.kind ?? null,
    filter.by?.trim() ?? null,
    since,
    until,
  ];
  const rows = inPages(
    sql,
    commandRow,
    `select command_id, (extract(epoch from at) * 1000)::float8 as at, kind, decided_by, reason, payer, group_name, id, request_id,
       state, transfer_id, new_request_id
     from payout_command where ${MAY_BE_ABOUT}
       and ($4::text is null or kind = $4) and ($5::text is null or decided_by = $5)
       and ($6::float8 is null or at >= to_timestamp($6::float8 / 1000))
       and ($7::float8 is null or at < to_timestamp($7::float8 / 1000))
       and ($8::uuid is null or (at, command_id) > (select at, command_id from payout_command where command_id = $8))
     order by at, command_id limit ${PAGE}`,
    (last) => [...values, last?.command_id ?? null],
  );
  for await (const row of rows)
    yield {
      kind: row.kind,
      at: new Date(row.at),
      by: row.decided_by,
      reason: row.reason,
      payer: row.payer,
      group: row.group_name,
      id: row.id,
      requestId: row.request_id,
      state: row.state,
      transferId: row.transfer_id,
      newRequestId: row.new_request_id,
    };
}
