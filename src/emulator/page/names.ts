import { uuidsIn } from '../http/request-ids.ts';
import { bankDetailsOf } from '../service/records/users.ts';
import type { World } from '../state/world.ts';

/** The name of a person or a business. The empty text where the KYC record has none. */
export function userNameOf({ firstName, lastName, businessName }: Record<string, unknown>): string {
  const person = [firstName, lastName].filter((part) => typeof part === 'string' && part !== '');
  return typeof businessName === 'string' ? businessName : person.join(' ');
}

/** The names of the users, accounts and wallets whose ids stand in a value, by their ids. */
export function namesIn(world: World, value: unknown): Record<string, string> {
  const named = [...uuidsIn(JSON.stringify(value))].map((id) => [id, nameOf(world, id)] as const);
  return Object.fromEntries(named.filter(([, name]) => name !== ''));
}

function nameOf(world: World, id: string): string {
  const user = world.users.peek(id);
  if (user !== undefined) return userNameOf(user.kycInfo);
  const account = world.accounts.peek(id);
  if (account === undefined) return world.externalWallets.peek(id)?.name ?? '';
  const { bankName, financialInstitute, currency } = bankDetailsOf(account);
  return [bankName ?? financialInstitute ?? account.type, currency]
    .filter((part) => typeof part === 'string')
    .join(' ');
}
