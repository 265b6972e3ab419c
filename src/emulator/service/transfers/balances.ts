import { invalidField, ServiceProblem } from '../../problem.ts';
import { decimalOf, type Micros, microsOf, microsOfDecimal } from '../../state/money.ts';
import type { World } from '../../state/world.ts';
import type { EmulatedTransferRecord } from '../records/transfer.ts';
import type { BalanceRecord } from '../records/users.ts';
import { findUser } from '../users.ts';

/** The balance to set for a user, a currency and a chain. */
export interface SetBalanceParams {
  /** The user it belongs to. */
  userId: string;
  /** The currency, in lower case. */
  currency: string;
  /** The network, in upper case. */
  chain: string;
  /** The new balance, as a number or a decimal text; `null` makes the balance unlimited again. */
  amount: number | string | null;
}

export interface Holding {
  /** The user it belongs to; `null` for a wallet outside. */
  userId: string | null;
  /** The currency, in lower case. */
  currency: string | null;
  /** The network, in upper case. */
  chain: string | null;
}

export function setBalance(world: World, params: SetBalanceParams): BalanceRecord | null {
  findUser(world, params.userId);
  const id = balanceIdOf(params);
  if (params.amount === null) {
    world.balances.delete(id);
    return null;
  }
  const micros = microsOf(params.amount);
  if (micros === undefined || micros < 0n) {
    throw invalidField('amount', 'must be of at least 0, with at most six decimals');
  }
  const { userId, currency, chain } = params;
  const version = world.ids.count('balance');
  return world.balances.add({ id, userId, currency, chain, amount: decimalOf(micros), version });
}

/** The amount that was set aside, and its balance. */
export type SetAside = EmulatedTransferRecord['setAside'];

/** Sets an amount of a holding aside; refuses where the holding does not reach. An unlimited one stays so. */
export function debit(world: World, holding: Holding, amount: Micros): SetAside {
  const record = world.balances.get(balanceIdOf(holding));
  if (record === undefined) return null;
  const rest = microsOfDecimal(record.amount) - amount;
  if (rest < 0n)
    throw new ServiceProblem(400, 'INSUFFICIENT_BALANCE', 'The balance is lower than the amount');
  record.amount = decimalOf(rest);
  return { balance: record.id, version: record.version };
}

/** Gives back what was set aside, unless the balance was set anew since: that one never held it. */
export function giveBack(world: World, setAside: SetAside, amount: Micros): void {
  const record = setAside === null ? undefined : world.balances.get(setAside.balance);
  if (record === undefined || record.version !== setAside?.version) return;
  record.amount = decimalOf(microsOfDecimal(record.amount) + amount);
}

/** Lets what was sent arrive. What comes back to its own sender is only what was set aside of the same balance. */
export function arrive(
  world: World,
  { holding, source }: { holding: Holding; source: Holding },
  setAside: SetAside,
  amount: Micros,
): void {
  if (balanceIdOf(holding) === balanceIdOf(source)) giveBack(world, setAside, amount);
  else credit(world, holding, amount);
}

/** Adds an amount to a holding that was set; an unlimited one stays so. */
export function credit(world: World, holding: Holding, amount: Micros): void {
  const record = world.balances.get(balanceIdOf(holding));
  if (record !== undefined) record.amount = decimalOf(microsOfDecimal(record.amount) + amount);
}

function balanceIdOf({ userId, currency, chain }: Holding): string {
  return `${userId}/${currency?.toLowerCase()}/${chain?.toUpperCase()}`;
}
