import { type OptionNames, refuseUnknown } from '../../shared/option-names.ts';
import { isRecord } from '../../shared/values.ts';
import { canonical, fold, refuseInput } from './checks.ts';
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

const orderNames: OptionNames<PayoutOrder> = {
  id: true,
  group: true,
  payer: true,
  recipients: true,
  currency: true,
  chain: true,
  requireApproval: true,
};
const recipientNames: OptionNames<PayoutRecipient> = {
  id: true,
  userId: true,
  walletAddress: true,
  amount: true,
};

const MOST_RECIPIENTS = 50;

/**
 * Checks orders before anything is stored: unknown fields, doubles, amounts, the number of recipients. Returns them with
 * every field. `enqueue` of `payoutsOnPgBoss` calls it; call it yourself in front of another engine.
 *
 * @param orders - The orders.
 * @throws RangeError that names the order, the field and the remedy.
 * @example
 * ```ts
 * import { beginPayout, checkPayouts } from 'stablecoin-payments/payouts';
 *
 * const situations = checkPayouts(orders).map((order) => beginPayout(order));
 * ```
 */
export function checkPayouts(orders: readonly PayoutOrder[]): CheckedOrder[] {
  if (!Array.isArray(orders)) refuseInput('orders must be an array of orders. Nothing was enqueued.');
  const checked = orders.map((order, place) => {
    const id: unknown = isRecord(order) ? order.id : undefined;
    return naming(`Payout ${typeof id === 'string' ? JSON.stringify(id) : `number ${place + 1}`}`, () =>
      checkOrder(order),
    );
  });
  refuseDoubles(checked);
  return checked;
}

function naming<T>(name: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    refuseInput(`${name}: ${error.message.replace(/\.$/, '')}. Nothing was enqueued.`);
  }
}

function checkOrder(order: PayoutOrder): CheckedOrder {
  if (!isRecord(order)) refuseInput('the order must be an object.');
  refuseUnknown(
    order,
    orderNames,
    refuseInput,
    { employee: '`recipients[].id`', month: '`group`' },
    'a field',
  );
  const { recipients, requireApproval = false } = order;
  const id = canonical('id', order.id);
  if (!Array.isArray(recipients) || recipients.length < 1 || recipients.length > MOST_RECIPIENTS)
    refuseInput(
      `recipients must be a list of 1 to ${MOST_RECIPIENTS}; split a longer one into several orders.`,
    );
  if (typeof requireApproval !== 'boolean') refuseInput('requireApproval must be true or false.');
  const isOne = recipients.length === 1;
  const checked = recipients.map((one: unknown, place) =>
    checkRecipient(`recipients[${place}]`, one, isOne ? id : `${id}/${place + 1}`),
  );
  refuseRecipientTwice(checked);
  return {
    id,
    group: order.group === undefined ? null : canonical('group', order.group),
    payer: canonical('payer', order.payer),
    recipients: checked,
    currency: canonical('currency', order.currency),
    chain: canonical('chain', order.chain),
    requireApproval,
  };
}

function checkRecipient(where: string, recipient: unknown, ownName: string): CheckedRecipient {
  if (!isRecord(recipient)) refuseInput(`${where} must be an object.`);
  refuseUnknown(recipient, recipientNames, (it) => refuseInput(`${where}: ${it}`), {}, 'a field');
  const { userId, walletAddress, amount } = recipient;
  if ((userId === undefined) === (walletAddress === undefined))
    refuseInput(`${where} must have a userId or a walletAddress, and not both.`);
  return {
    id: canonical(`${where}.id`, recipient.id ?? ownName),
    payee:
      userId === undefined
        ? { walletAddress: canonical(`${where}.walletAddress`, walletAddress) }
        : { userId: canonical(`${where}.userId`, userId) },
    amount: checkAmount(`${where}.amount`, amount),
  };
}

/** Returns an amount in its shortest form: one way to write it, so that the same amount is the same order. */
function checkAmount(where: string, amount: unknown): string {
  if (typeof amount !== 'string' || !/^(?:0|[1-9]\d*)(?:\.\d+)?$/.test(amount))
    refuseInput(`${where} must be plain decimal text such as "25.50"; write numbers as text.`);
  const text = amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount;
  if (Number(text) <= 0) refuseInput(`${where} must be above 0.`);
  const digits = text.replace('.', '').replace(/^0+/, '').replace(/0+$/, '');
  if (digits.length > 15) refuseInput(`${where} must have at most 15 significant digits; round it.`);
  if (/e/.test(String(Number(text))))
    refuseInput(`${where} must be an amount that a number can write without an exponent.`);
  return text;
}

function refuseRecipientTwice(recipients: readonly CheckedRecipient[]): void {
  const names = new Map<string, string>();
  for (const { id } of recipients) {
    const known = names.get(fold(id));
    if (known === id) refuseInput(`the recipient ${JSON.stringify(id)} is in the order twice.`);
    if (known !== undefined) refuseInput(`the recipient ${JSON.stringify(id)} ${onlyInFormat(known)}`);
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
      const key = JSON.stringify([one.scope, fold(one.name)]);
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
