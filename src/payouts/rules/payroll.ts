import { type OptionNames, refuseUnknown } from '../../shared/option-names.ts';
import { canonical, checkMonth, refuse } from './checks.ts';
import { fold } from './request-ids.ts';

/** One payout of a payroll. */
export interface PayoutOrder {
  /** The payee, by your own name: unique within the month. */
  readonly employee: string;
  /** The user who is paid, by the service's id. */
  readonly payee: string;
  /** Units of the currency as decimal text above 0 and below 1,000,000,000, such as `1250.50`; at most six places. */
  readonly amount: string;
  /** True if the transfer must be approved before it executes. Default false. */
  readonly needsApproval?: boolean;
  /** The user who pays, by the service's id: one of the payers of `createPayouts`. Default `userId`. */
  readonly payer?: string;
}

/** The payouts of one month, all in one currency on one network. */
export interface Payroll {
  /** The month, written as `2026-11`. It is part of every idempotency key. */
  readonly month: string;
  /** The currency in lower case, such as `usdc`. */
  readonly currency: string;
  /** The network in upper case, such as `POLYGON`. */
  readonly chain: string;
  /** One for each employee: a second one for the same employee is refused. */
  readonly orders: readonly PayoutOrder[];
  /** Payouts to a transfer: 1 makes single transfers, 2 to 50 batch transfers. Default 1. */
  readonly batchSize?: number;
}

/** A payout with every field. */
export type CheckedOrder = Required<PayoutOrder>;

/** A payroll with every field, and names in the form of which keys are made. */
export type CheckedPayroll = Omit<Required<Payroll>, 'orders'> & { readonly orders: readonly CheckedOrder[] };

const payrollNames: OptionNames<Payroll> = {
  month: true,
  currency: true,
  chain: true,
  orders: true,
  batchSize: true,
};
const orderNames: OptionNames<PayoutOrder> = {
  employee: true,
  payee: true,
  amount: true,
  needsApproval: true,
  payer: true,
};

/** Checks a payroll and brings its names into the form of which keys are made. */
export function checkPayroll(payroll: Payroll, payers: readonly [string, ...string[]]): CheckedPayroll {
  const { currency, chain, orders, batchSize = 1 } = payroll;
  refuseUnknown(
    payroll,
    payrollNames,
    (it) => refuse(`A payroll: ${it} Nothing was enqueued.`),
    {},
    'a field',
  );
  const month = refusing('A payroll', () => checkMonth(payroll.month));
  if (!(Number.isInteger(batchSize) && batchSize >= 1 && batchSize <= 50)) {
    refuse('batchSize must be a whole number from 1 to 50. Nothing was enqueued.');
  }
  for (const [name, value] of Object.entries({ currency, chain })) {
    if (typeof value !== 'string' || value.trim() === '')
      refuse(`A payroll needs a ${name}. Nothing was enqueued.`);
  }
  const seen = new Map<string, string>();
  return {
    month,
    currency,
    chain,
    batchSize,
    orders: orders.map((order) => {
      const name = `Payout of ${JSON.stringify(order.employee)}`;
      refuseUnknown(order, orderNames, (it) => refuse(`${name}: ${it} Nothing was enqueued.`), {}, 'a field');
      const checked = refusing(name, () => checkOrder(order, payers));
      const folded = `${checked.payer} ${fold(checked.employee)}`;
      const before = seen.get(folded);
      if (before !== undefined) {
        const twin = before === checked.employee ? '' : `, as ${JSON.stringify(before)} before`;
        refuse(`${name}: the employee is in the payroll twice${twin}. Nothing was enqueued.`);
      }
      seen.set(folded, checked.employee);
      return checked;
    }),
  };
}

function checkOrder(order: PayoutOrder, payers: readonly [string, ...string[]]): CheckedOrder {
  const { amount, needsApproval = false } = order;
  const payer = canonical('payer', order.payer ?? payers[0]);
  if (!payers.includes(payer)) refuse(`payer is not a payer of these payouts`);
  if (!isAmount(amount)) {
    refuse('amount must be decimal text above 0 and below 1,000,000,000 with at most six places');
  }
  if (typeof needsApproval !== 'boolean') refuse('needsApproval must be true or false');
  return {
    employee: canonical('employee', order.employee),
    payee: canonical('payee', order.payee),
    amount: shortest(amount),
    needsApproval,
    payer,
  };
}

/** Returns true for decimal text above 0 and below 1,000,000,000 with at most six places. */
const isAmount = (amount: unknown): boolean =>
  typeof amount === 'string' && /^\d{1,9}(\.\d{1,6})?$/.test(amount) && Number(amount) > 0;

/** One way to write an amount: without leading and trailing zeros. */
const shortest = (amount: string): string => {
  const text = amount.replace(/^0+(?=\d)/, '');
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
};

function refusing<T>(name: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    refuse(`${name}: ${error.message.replace(/\.$/, '')}. Nothing was enqueued.`);
  }
}
