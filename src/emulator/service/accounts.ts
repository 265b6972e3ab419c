import { invalidField, notFound, printable, ServiceProblem } from '../problem.ts';
import type { World } from '../state/world.ts';
import { emitAccount } from './events.ts';
import { COUNTRIES } from './quotes.ts';
import { type AccountRecord, bankDetailsOf, type EmulatedAccountStatus } from './records/users.ts';
import { findUser, requireRail } from './users.ts';

export type NewAccount = Pick<AccountRecord, 'rail' | 'type' | 'accountHolder' | 'us' | 'africa' | 'details'>;

/** A filter for the accounts to list. */
export interface AccountFilters {
  rail?: string | undefined;
  type?: string | undefined;
  currency?: string | undefined;
  createdBefore?: string | undefined;
  createdAfter?: string | undefined;
}

const MESSAGES: Record<EmulatedAccountStatus, string> = {
  ACTIVE: 'The account is active',
  PENDING: 'The account is being validated',
  REJECTED: 'The account was rejected',
};

export function addAccount(world: World, userId: string, params: NewAccount): AccountRecord {
  const user = findUser(world, userId);
  if (params.type === 'us' || params.type === 'africa') {
    requireRail(user, params.type === 'us' ? 'usd' : 'africa');
  }
  const now = world.clock.isoAfter(accountsOf(world, userId, {}).at(-1)?.createdAt);
  const account = world.accounts.add({
    id: world.ids.uuid('account'),
    userId,
    ...params,
    status: 'PENDING',
    invalidFields: [],
    message: MESSAGES.PENDING,
    createdAt: now,
    updatedAt: now,
  });
  emitAccount(world, 'CREATE', account, world.clock.millis());
  const delay = world.pace.accountValidation;
  if (delay !== undefined) {
    world.tasks.plan({ id: account.id, kind: 'account.validate', at: world.clock.millis() + delay });
  }
  return account;
}

export function findAccount(world: World, userId: string, accountId: string): AccountRecord {
  findUser(world, userId);
  const account = world.accounts.get(accountId);
  if (account === undefined || account.userId !== userId) throw notFound('account', accountId);
  return account;
}

/** A user's account that can pay an onramp or receive an offramp in a currency; a refusal where it cannot. */
export function usableAccount(
  world: World,
  userId: string,
  accountId: string,
  { rail, currency }: { rail: 'onramp' | 'offramp'; currency: string },
): AccountRecord {
  const account = findAccount(world, userId, accountId);
  const field = `${rail === 'onramp' ? 'source' : 'destination'}.accountId`;
  if (account.rail !== rail) throw invalidField(field, `is an account of the rail ${account.rail}`);
  const region = bankDetailsOf(account);
  if ((region.currency ?? (account.type === 'us' ? 'usd' : currency)) !== currency) {
    throw invalidField(field, `is an account of another currency than ${currency}`);
  }
  if (account.type === 'africa' && !isUsedIn(currency, region.country)) {
    throw invalidField(field, `is an account of another country than that of ${currency}`);
  }
  if (account.status !== 'ACTIVE') {
    const message = `The account is ${account.status}; an ${rail} needs an ACTIVE one`;
    throw new ServiceProblem(400, 'INVALID_ACCOUNT_FOR_TRANSACTION', message);
  }
  return account;
}

/** A user's accounts, oldest first. */
export function accountsOf(world: World, userId: string, filters: AccountFilters): AccountRecord[] {
  findUser(world, userId);
  const { rail, type, currency, createdBefore, createdAfter } = filters;
  const wanted = (filter: string | undefined, value: unknown) => filter === undefined || filter === value;
  return world.accounts.list().filter((account) => {
    const created = Date.parse(account.createdAt);
    return (
      account.userId === userId &&
      wanted(rail, account.rail) &&
      wanted(type, account.type) &&
      wanted(currency?.toLowerCase(), String(bankDetailsOf(account).currency).toLowerCase()) &&
      (createdBefore === undefined || created < Date.parse(createdBefore)) &&
      (createdAfter === undefined || created > Date.parse(createdAfter))
    );
  });
}

export function switchOffAccount(world: World, userId: string, accountId: string): AccountRecord {
  const account = findAccount(world, userId, accountId);
  world.accounts.delete(account.id);
  world.tasks.cancel(account.id);
  return account;
}

/** Sets the outcome of an account's validation, as a test or as the time wants it. */
export function validateAccount(
  world: World,
  accountId: string,
  verdict: { status: EmulatedAccountStatus; invalidFields?: readonly string[] | null | undefined },
  at: number = world.clock.millis(),
): AccountRecord {
  const { status } = verdict;
  const invalidFields = verdict.invalidFields ?? [];
  const account = world.accounts.get(accountId);
  if (account === undefined) throw notFound('account', accountId);
  world.tasks.cancel(account.id);
  account.status = status;
  account.invalidFields = [...invalidFields];
  account.message =
    invalidFields.length === 0
      ? MESSAGES[status]
      : `${MESSAGES[status]}: ${invalidFields.map(printable).join(', ')} could not be verified`;
  account.updatedAt = new Date(at).toISOString();
  emitAccount(world, 'UPDATE', account, at);
  return account;
}

/** Validation as time does it: rejected where the holder differs from the user's stated KYC data, else active. */
export function validateInTime(world: World, accountId: string, at: number): void {
  const account = world.accounts.get(accountId);
  if (account === undefined) return;
  const invalidFields = [...holderMismatches(world, account), ...countryMismatch(account)];
  validateAccount(
    world,
    accountId,
    { status: invalidFields.length === 0 ? 'ACTIVE' : 'REJECTED', invalidFields },
    at,
  );
}

/** Returns true if a currency is used in a country, or if the currency is not in the emulator's table. */
function isUsedIn(currency: unknown, country: unknown): boolean {
  if (typeof currency !== 'string' || typeof country !== 'string') return false;
  return COUNTRIES.get(currency.toLowerCase())?.includes(country.toLowerCase()) ?? true;
}

function holderMismatches(world: World, account: AccountRecord): string[] {
  const user = world.users.get(account.userId);
  const holder = account.accountHolder;
  if (user === undefined || holder === null) return [];
  const { kycInfo, statedKyc } = user;
  const stated = (field: string) => (statedKyc.includes(field) ? kycInfo[field] : undefined);
  const fullName = [stated('firstName'), stated('lastName')];
  const name = holder.type === 'business' ? stated('businessName') : fullName.join(' ');
  const mismatches: string[] = [];
  if ((fullName.every(isText) || isText(stated('businessName'))) && isText(name)) {
    if (plain(name) !== plain(holder.name)) mismatches.push('accountHolder.name');
  }
  for (const field of ['email', 'phone']) {
    const expected = stated(field);
    if (isText(expected) && plain(expected) !== plain(holder[field])) {
      mismatches.push(`accountHolder.${field}`);
    }
  }
  return mismatches;
}

function countryMismatch({ africa }: AccountRecord): string[] {
  return africa === undefined || isUsedIn(africa.currency, africa.country) ? [] : ['africa.country'];
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function plain(value: unknown): string {
  return String(value)
    .toLowerCase()
    .replace(/[\s()-]+/g, '');
}
