import type { World } from '../../state/world.ts';
import type { EmulatedPartyUser, ExternalWalletRecord } from '../records/users.ts';
import { findUser, partyOf } from '../users.ts';

/** An external wallet to add. Fields that are left out are generated. */
export interface AddExternalWalletParams {
  /** The user who owns it. */
  userId: string;
  /** In the format of `chain`. Default: generated. */
  address?: string | undefined;
  /** The network, in upper case. */
  chain?: string | undefined;
  /** The name that the user gave it. */
  name?: string | undefined;
  /** Any text. Default: generated. */
  referenceId?: string | undefined;
}

/** The address that a user's wallet, or an outside one, has on a chain. */
export function addressOn(world: World, chain: string, purpose: string): string {
  const hex = world.ids.hex(`address/${chain}/${purpose}`, 44);
  return chain.toUpperCase() === 'SOLANA' ? base58Like(hex) : `0x${hex.slice(0, 40)}`;
}

/** The wallet and the person of one side of a transfer: a user of the service, or an external wallet. */
export function partyOnChain(
  world: World,
  side: Record<string, unknown>,
  chain: string | null,
): { walletAddress: string | null; user: EmulatedPartyUser | null } {
  const text = (name: string) => (typeof side[name] === 'string' ? side[name] : undefined);
  const userId = text('userId');
  const user = userId === undefined ? undefined : world.users.get(userId);
  const address =
    userId === undefined || chain === null
      ? walletOf(world, text('externalWalletId'))?.address
      : addressOn(world, chain, userId);
  return { walletAddress: address ?? null, user: user === undefined ? null : partyOf(user) };
}

/** A transaction hash in the manner of the chain. */
export function transactionHash(world: World, chain: string, transferId: string): string {
  return `0x${world.ids.hex(`hash/${chain}/${transferId}`, 64)}`;
}

export function addExternalWallet(world: World, params: AddExternalWalletParams): ExternalWalletRecord {
  const { userId, chain = 'POLYGON' } = params;
  findUser(world, userId);
  const id = world.ids.uuid('external-wallet');
  return world.externalWallets.add({
    id,
    userId,
    address: params.address ?? addressOn(world, chain, id),
    chain,
    name: params.name ?? `Wallet ${id.slice(0, 8)}`,
    referenceId: params.referenceId ?? id,
    createdAt: world.clock.isoAfter(walletsOf(world, userId)[0]?.createdAt),
  });
}

/** A user's external wallets, newest first. */
export function walletsOf(world: World, userId: string): ExternalWalletRecord[] {
  const wallets = world.externalWallets.list().filter((wallet) => wallet.userId === userId);
  return wallets.sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
}

/** The external wallet with an id, or with a reference of its owner. */
export function walletOf(world: World, id: string | null | undefined): ExternalWalletRecord | undefined {
  return world.externalWallets.list().find((wallet) => wallet.id === id || wallet.referenceId === id);
}

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

function base58Like(hex: string): string {
  return [...hex]
    .map((digit, place) => BASE58.charAt((Number.parseInt(digit, 16) * 7 + place * 11) % 58))
    .join('');
}
