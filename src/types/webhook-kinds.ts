import type { OnrampStatus } from './onramp.ts';

/** Kinds that most services send beside the documented ones. Completion only: any other kind is possible. */
export type LikelyWebhookKind =
  | `${'USER' | 'KYC' | 'WALLET' | 'ONRAMP' | 'OFFRAMP' | 'ACCOUNT.OFFRAMP'}.${'CREATE' | 'UPDATE'}`
  | 'ACCOUNT.ONRAMP.DELETE'
  | 'ACCOUNT.OFFRAMP.DELETE'
  | `ONRAMP.STATUS.${OnrampStatus}`
  | 'OFFRAMP.STATUS.COMPLETED';

/** Names of handlers that take every kind with the same beginning. Completion only: any `….*` is possible. */
export type LikelyWebhookWildcard =
  | `${'USER' | 'KYC' | 'WALLET' | 'ACCOUNT' | 'ACCOUNT.ONRAMP' | 'ONRAMP' | 'ONRAMP.STATUS' | 'OFFRAMP'}.*`
  | '*';

type Letter =
  | ('A' | 'B' | 'C' | 'D' | 'E' | 'F' | 'G' | 'H' | 'I' | 'J' | 'K' | 'L' | 'M')
  | ('N' | 'O' | 'P' | 'Q' | 'R' | 'S' | 'T' | 'U' | 'V' | 'W' | 'X' | 'Y' | 'Z');

type Not<Excluded extends Letter> = Exclude<Letter, Excluded>;

/**
 * The kind of an event that the spec does not document: any other string, as received.
 *
 * The type is a pattern for every kind that differs from the documented ones at a dot. With plain `string` a comparison
 * with a documented kind would not narrow `event.data`. Of the rare kind that no pattern fits, such as
 * `TRANSFER.APPROVAL.REVOKED`, take the string first: `const kind: string = event.eventType`.
 */
export type UnknownWebhookEventType =
  | LikelyWebhookKind
  // The `& {}` keeps the likely kinds apart from the patterns that they fit, for completion.
  | (`${Not<'A' | 'T'>}${string}` & {})
  | (`A${Not<'C'>}${string}` & {})
  | (`T${Not<'R'>}${string}` & {})
  | (`ACCOUNT.${Not<'O'>}${string}` & {})
  | (`ACCOUNT.OFFRAMP.${string}` & {})
  | (`TRANSFER.${Not<'A'>}${string}` & {})
  | (`TRANSFER.APPROVAL.${Not<'A' | 'P' | 'R'>}${string}` & {});
