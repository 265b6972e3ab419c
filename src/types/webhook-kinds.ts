import type { OfframpStatus } from './offramp.ts';
import type { OnrampStatus } from './onramp.ts';

/** Kinds that some services send, which the spec does not document. Completion only: any other kind is possible. */
export type LikelyWebhookKind =
  | `USER.STATUS.${'CREATE' | 'UPDATE'}`
  | `KYC.${'STATUS' | 'DATA'}.UPDATE`
  | `ACCOUNT.${'OFFRAMP' | 'VIRTUAL_ACCOUNT'}.${'CREATE' | 'UPDATE'}`
  | `WALLET.${'TRANSFER' | 'BRIDGE'}.${'CREATE' | 'UPDATE'}`
  | 'WALLET.TRANSFER.BATCH'
  | 'WALLET.TOKEN.BALANCE.UPDATE'
  | `${'ONRAMP' | 'OFFRAMP'}.TRANSACTION.CREATED`
  | `ONRAMP.STATUS.${OnrampStatus}`
  | `OFFRAMP.STATUS.${OfframpStatus}`
  | `${'ONRAMP' | 'OFFRAMP'}.RFI.${'OPEN' | 'CLOSED'}`;

/** Names of handlers that take every kind with the same beginning. Completion only: any `….*` is possible. */
export type LikelyWebhookWildcard =
  | `${'USER' | 'KYC' | 'WALLET' | 'WALLET.TRANSFER' | 'WALLET.BRIDGE'}.*`
  | `${'ACCOUNT' | 'ACCOUNT.ONRAMP' | 'ACCOUNT.OFFRAMP' | 'ACCOUNT.VIRTUAL_ACCOUNT'}.*`
  | `${'ONRAMP' | 'OFFRAMP'}${'' | '.STATUS' | '.RFI'}.*`
  | '*';

type Letter =
  | ('A' | 'B' | 'C' | 'D' | 'E' | 'F' | 'G' | 'H' | 'I' | 'J' | 'K' | 'L' | 'M')
  | ('N' | 'O' | 'P' | 'Q' | 'R' | 'S' | 'T' | 'U' | 'V' | 'W' | 'X' | 'Y' | 'Z');

type Not<Excluded extends Letter> = Exclude<Letter, Excluded>;

/** The listed kinds that begin so, and any other kind that does. The `& {}` keeps the two apart, for completion. */
export type KindsOf<Beginning extends string> =
  | Extract<LikelyWebhookKind, `${Beginning}.${string}`>
  | (`${Beginning}.${string}` & {});

/**
 * The kind of an event of which nothing is known: any other string, as received.
 *
 * The type is a pattern for every kind that differs from the known ones at a dot. With plain `string` a comparison with a
 * known kind would not narrow `event.data`. Of the rare kind that no pattern fits, such as `TRANSFER.APPROVAL.REVOKED`,
 * take the string first: `const kind: string = event.eventType`.
 */
export type UnknownWebhookEventType =
  | Extract<LikelyWebhookKind, `${'USER' | 'KYC'}.${string}`>
  | (`${Not<'A' | 'O' | 'T' | 'W'>}${string}` & {})
  | (`A${Not<'C'>}${string}` & {})
  | (`O${Not<'F' | 'N'>}${string}` & {})
  | (`T${Not<'R'>}${string}` & {})
  | (`W${Not<'A'>}${string}` & {})
  | (`ACCOUNT.${Not<'O' | 'V'>}${string}` & {})
  | (`WALLET.${Not<'B' | 'T'>}${string}` & {})
  | (`TRANSFER.${Not<'A'>}${string}` & {})
  | (`TRANSFER.APPROVAL.${Not<'A' | 'P' | 'R'>}${string}` & {});
