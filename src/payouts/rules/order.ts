import * as z from 'zod/mini';
import {
  checkSayingAll,
  decimalText,
  flag,
  lazy,
  matching,
  strictObject,
} from '../../shared/schema/schema.ts';
import { valueAt } from '../../shared/values.ts';
import { canonical, checkedInput, fold, refuseInput, storedName } from './checks.ts';
import { plainId } from './evidence.ts';

/** One who is paid by an order. */
export interface PayoutRecipient {
  /** Your own name of the recipient: unique within the group. Default: the `id` of the order, with a number in a batch. */
  readonly id?: string;
  /** The user who is paid, by the service's id. Give this or `walletAddress`. */
  readonly userId?: string;
  /** The wallet that is paid. Give this or `userId`. */
  readonly walletAddress?: string;
  /** Units of the currency as plain decimal text above 0, such as `1250.50`. */
  readonly amount: string;
}

/** What is to be paid: a transfer to one recipient, or a batch of 2 to 50. */
export interface PayoutOrder {
  /** Your own name of the payout: unique for the payer. The idempotency key is derived from it. */
  readonly id: string;
  /** Your own name of a set of payouts, such as a payroll month or a settlement, for lists and commands. */
  readonly group?: string;
  /** The user who pays, by the service's id. */
  readonly payer: string;
  /** One recipient makes a single transfer, 2 to 50 make a batch transfer. */
  readonly recipients: readonly PayoutRecipient[];
  /** The currency in lower case, such as `usdc`. */
  readonly currency: string;
  /** The network in upper case, such as `POLYGON`. */
  readonly chain: string;
  /** True if the transfer must be approved before it executes. Default false. */
  readonly requireApproval?: boolean;
}

/** A recipient with every field. */
export interface CheckedRecipient {
  /** Your own name of the recipient. */
  readonly id: string;
  /** The user or the wallet that is paid. */
  readonly payee:
    | {
        /** The user, by the service's id. */
        readonly userId: string;
      }
    | {
        /** The address of the wallet. */
        readonly walletAddress: string;
      };
  /** Decimal text. */
  readonly amount: string;
}

/** An order with every field, and names in the form of which keys are made. */
export interface CheckedOrder {
  /** Your own name of the payout. */
  readonly id: string;
  /** Your own name of the set that it belongs to; null where it has none. */
  readonly group: string | null;
  /** The user who pays, by the service's id. */
  readonly payer: string;
  /** The recipients. */
  readonly recipients: readonly CheckedRecipient[];
  /** The currency in lower case. */
  readonly currency: string;
  /** The network in upper case. */
  readonly chain: string;
  /** True if the transfer must be approved before it executes. */
  readonly requireApproval: boolean;
}

const mostRecipients = 50;

const recipient = /* @__PURE__ */ lazy(() =>
  strictObject({
    id: z.optional(storedName()),
    userId: z.optional(storedName()),
    walletAddress: z.optional(storedName()),
    amount: decimalText(),
  }).check(
    checkSayingAll(
      ({ userId, walletAddress }) => (userId === undefined) !== (walletAddress === undefined),
      'must have a `userId` or a `walletAddress`, and not both',
    ),
  ),
);

const payoutOrder = /* @__PURE__ */ lazy(() =>
  matching<PayoutOrder>()(
    strictObject({
      id: storedName(),
      group: z.optional(storedName()),
      payer: storedName(),
      recipients: z
        .array(recipient(), { error: 'must be a list of recipients' })
        .check(
          checkSayingAll(
            ({ length }) => length >= 1 && length <= mostRecipients,
            `must be a list of 1 to ${mostRecipients}; split a longer one into several orders`,
          ),
        ),
      currency: storedName(),
      chain: storedName(),
      requireApproval: z.optional(flag()),
    }),
  ),
);

/**
 * Checks orders before anything is stored: unknown fields, doubles, amounts, the number of recipients. Returns them with
 * every field. `enqueue` of `payoutsOnPgBoss` calls it; call it yourself in front of another engine.
 *
 * @param orders - The orders: plain objects. A field that only a class or another prototype has is refused.
 * @throws InvalidRequestError that names the order, the field and the remedy.
 * @example
 * ```ts
 * import { beginPayout, checkPayouts } from 'stablecoin-payments/payouts';
 *
 * const situations = checkPayouts(orders).map((order) => beginPayout(order));
 * ```
 */
export function checkPayouts(orders: readonly PayoutOrder[]): CheckedOrder[] {
  if (!Array.isArray(orders)) refuseInput('orders must be an array of orders. Nothing was enqueued.');
  const checked = orders.map((order: unknown, place) => {
    const id = valueAt(order, 'id');
    return checkOrder(order, `Payout ${typeof id === 'string' ? JSON.stringify(id) : `number ${place + 1}`}`);
  });
  refuseDoubles(checked);
  return checked;
}

/** The words of payrolls. */
const hints = { employee: '`recipients[].id`', month: '`group`' };

function checkOrder(given: unknown, subject: string): CheckedOrder {
  const words = { subject, noun: 'a field', hints, end: ' Nothing was enqueued.' };
  const { requireApproval = false, group, ...order } = checkedInput(payoutOrder(), given, words);
  const id = canonical(order.id);
  const isOne = order.recipients.length === 1;
  const recipients = order.recipients.map((one, place) =>
    recipientFrom(one, isOne ? id : `${id}/${place + 1}`),
  );
  refuseRecipientTwice(recipients, subject);
  return {
    id,
    group: group === undefined ? null : canonical(group),
    payer: canonical(order.payer),
    recipients,
    currency: canonical(order.currency),
    chain: canonical(order.chain),
    requireApproval,
  };
}

const recipientFrom = (
  { id, userId, walletAddress = '', amount }: PayoutRecipient,
  usualName: string,
): CheckedRecipient => ({
  id: id === undefined ? usualName : canonical(id),
  payee: userId === undefined ? { walletAddress: canonical(walletAddress) } : { userId: canonical(userId) },
  amount: shortest(amount),
});

/** One way to write an amount, so that the same amount is the same order. */
export const shortest = (amount: string): string =>
  amount.includes('.') ? amount.replace(/(?:\.|(?<![.0]))0+$/, '') : amount;

function refuseRecipientTwice(recipients: readonly CheckedRecipient[], subject: string): void {
  const names = new Map<string, string>();
  for (const { id } of recipients) {
    const known = names.get(fold(id));
    if (known !== undefined) {
      const what = known === id ? 'is in the order twice.' : onlyInFormat(known);
      refuseInput(`${subject}: the recipient ${JSON.stringify(id)} ${what} Nothing was enqueued.`);
    }
    names.set(fold(id), id);
  }
}

function refuseDoubles(orders: readonly CheckedOrder[]): void {
  const ids = new Set<string>();
  const names = new Map<string, KnownName>();
  for (const order of orders) {
    const shown = `Payout ${JSON.stringify(order.id)}`;
    const id = JSON.stringify([order.payer, order.id]);
    if (ids.has(id)) refuseInput(`${shown}: id is in the file twice for this payer. Nothing was enqueued.`);
    ids.add(id);
    for (const one of namesOf(order)) {
      const key = `${one.scope} ${fold(one.name)}`;
      const known = names.get(key);
      if (known !== undefined) refuseInput(`${shown}: ${doubleOf(one, known)} Nothing was enqueued.`);
      names.set(key, one);
    }
  }
}

/** A name that is known, and the payer of its order. */
export interface KnownName {
  readonly name: string;
  readonly payer: string;
}

/** A name that is unique within its scope, whatever its case, white space or Unicode form. */
export interface ScopedName extends KnownName {
  readonly kind: 'id' | 'recipient';
  readonly scope: string;
}

/**
 * Returns the names of an order that no other order may have: its own in its group, and those of its recipients. A payer in
 * another form is the same payer.
 */
export function namesOf({ id, group, payer, recipients }: CheckedOrder): ScopedName[] {
  const scoped = (kind: ScopedName['kind'], name: string): ScopedName => ({
    kind,
    scope: JSON.stringify([kind, plainId(payer), group]),
    name,
    payer,
  });
  return [scoped('id', id), ...(group === null ? [] : recipients.map((one) => scoped('recipient', one.id)))];
}

/** Returns the sentence about a name that differs from a known one at most in its format. */
export function doubleOf({ kind, name, payer }: ScopedName, known: KnownName): string {
  if (payer !== known.payer)
    return `payer ${JSON.stringify(payer)} differs from the known ${JSON.stringify(known.payer)} only in case or hyphens; use one of them.`;
  const what = `${kind === 'id' ? 'id' : 'the recipient'} ${JSON.stringify(name)}`;
  return name === known.name ? `${what} is already in the group.` : `${what} ${onlyInFormat(known.name)}`;
}

const onlyInFormat = (known: string): string =>
  `differs from the known ${JSON.stringify(known)} only in case, white space or Unicode form; use one of them.`;
