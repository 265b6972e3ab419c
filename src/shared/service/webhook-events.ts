import type { BridgeDetails } from './bridges.ts';
import type { OfframpDetails } from './offramps.ts';
import type { OnrampDetails } from './onramps.ts';
import type { TransferBatchDetails } from './transfers.ts';
import type { LikelyWebhookKind, WebhookEventType } from './webhook-kinds.ts';

export type { LikelyWebhookKind, WebhookEventType };

/** The kind of change. Other values are possible. */
export type WebhookEventAction = 'CREATE' | 'UPDATE' | 'DELETE' | (string & {});

/** The fields around an event's `data`. Most services send all of them; only the kind is essential. */
export interface WebhookEnvelope<Kind, Data> {
  /** The kind, such as `TRANSFER.APPROVAL.PENDING`. Narrows `data`. */
  eventType: Kind;
  /** The record that the event is about. Its fields depend on the kind. */
  data: Data;
  /** The same in every delivery of the event. The receiver recognizes a retry by it. */
  eventId?: string | null | undefined;
  /** The id of the event, in events that have no `eventId`. */
  id?: string | null | undefined;
  /** The group of kinds that the event belongs to, such as `ONRAMP`. */
  eventCategory?: string | null | undefined;
  /** The change that the record went through. */
  eventAction?: WebhookEventAction | null | undefined;
  /** The time of the event, in ISO 8601. Retries may deliver the event up to 24 hours later. */
  createdAt?: string | null | undefined;
  /** The time at which the event was sent, if the service gives it. */
  timestamp?: string | number | null | undefined;
  /** The version of the event's format. The values are not documented. */
  version?: string | number | null | undefined;
}

// These are aliases and not interfaces, so that an event with them is also an `OpenWebhookEvent`.

/** The data of account events. The service does not document it; these fields are the likely ones. */
export type AccountEventData = {
  /** Fields that the service does not document. */
  [field: string]: unknown;
  /** The id of the account. See `accountIdOf`. */
  id?: string | null | undefined;
  /** The id, in events that have no `id`. */
  accountId?: string | null | undefined;
  /** The user who owns the account, a UUID. */
  userId?: string | null | undefined;
  /** The account's status, such as `ACTIVE` or `REJECTED`. */
  status?: string | null | undefined;
  /** The fields that were refused, where the account was rejected. */
  invalidFields?: readonly string[] | null | undefined;
  /** The service's explanation of the status, for people. Do not parse it. */
  message?: string | null | undefined;
};

/** The data of approval events (spec: Events). Every one of them has `transferId`. */
export type ApprovalEventData = {
  /** The transfer that waits or was decided. It is not the id of the approval. */
  transferId: string;
  /** The amount of the transfer. Its currency is in the record of the transfer. */
  amount?: number | string | null | undefined;
  /** The recipient: a text, or an object with fields that are not documented. */
  destination?: string | Record<string, unknown> | null | undefined;
  /** The id of the person who started the transfer. */
  initiatorId?: string | null | undefined;
};

/** The data of `TRANSFER.APPROVAL.REJECTED`: that of an approval event, with a comment. */
export type RejectionEventData = ApprovalEventData & {
  /** The `comment` of the rejection, at most 1000 characters. */
  comment?: string | null | undefined;
};

/** A payment as an event carries it: the whole record, or the fields of its `transferDetails`. Any field may be missing. */
export type PaymentEventData<Details> = {
  /** Fields that the service does not document. */
  [field: string]: unknown;
  /** Such as `ONRAMP`. May be missing where `eventType` says it. */
  transferType?: string | null | undefined;
  /** The record, where the event carries all of it. */
  transferDetails?: Partial<Details> | null | undefined;
} & Partial<Details>;

/** The data of `ONRAMP.…` events. The service does not document them; some services send them. */
export type OnrampEventData = PaymentEventData<OnrampDetails>;

/** The data of `OFFRAMP.…` events. The service does not document them; some services send them. */
export type OfframpEventData = PaymentEventData<OfframpDetails>;

/** The data of `WALLET.TRANSFER.…` events, of transfers and batches. The service does not document them. */
export type TransferEventData = PaymentEventData<TransferBatchDetails>;

/** The data of `WALLET.BRIDGE.…` events. The service does not document them; some services send them. */
export type BridgeEventData = PaymentEventData<BridgeDetails>;

/** The data of `WALLET.TOKEN.…` events: a balance changed. The service does not document them. */
export type WalletEventData = {
  /** Fields that the service does not document. */
  [field: string]: unknown;
  /** The user who owns the wallet, a UUID. */
  userId?: string | null | undefined;
  /** In the format of `chain`. */
  walletAddress?: string | null | undefined;
  /** The address of the wallet, in events that have no `walletAddress`. */
  address?: string | null | undefined;
  /** Such as `POLYGON`. */
  chain?: string | null | undefined;
  /** In lower case, such as `usdc`. */
  currency?: string | null | undefined;
  /** In units of the coin. The documentation does not say if it is the balance or the change. */
  amount?: number | string | null | undefined;
};

/** The data of an event by the beginning of its kind, or by the name of a wildcard such as `ONRAMP.*`. */
export type WebhookEventData<Kind extends string> = Kind extends `ONRAMP.${string}`
  ? OnrampEventData
  : Kind extends `OFFRAMP.${string}`
    ? OfframpEventData
    : Kind extends `WALLET.TRANSFER.${string}`
      ? TransferEventData
      : Kind extends `WALLET.BRIDGE.${string}`
        ? BridgeEventData
        : Kind extends `WALLET.TOKEN.${string}`
          ? WalletEventData
          : Kind extends `ACCOUNT.${string}`
            ? AccountEventData
            : Record<string, unknown>;

/** An event of a kind that some services send, which the service does not document. */
export type LikelyWebhookEvent =
  | WebhookEnvelope<KindsOf<'ONRAMP'>, OnrampEventData>
  | WebhookEnvelope<KindsOf<'OFFRAMP'>, OfframpEventData>
  | WebhookEnvelope<KindsOf<'WALLET.TRANSFER'>, TransferEventData>
  | WebhookEnvelope<KindsOf<'WALLET.BRIDGE'>, BridgeEventData>
  | WebhookEnvelope<KindsOf<'WALLET.TOKEN'>, WalletEventData>
  | WebhookEnvelope<KindsOf<'ACCOUNT.OFFRAMP' | 'ACCOUNT.VIRTUAL_ACCOUNT'>, AccountEventData>;

/** An event of one of the five documented kinds. */
export type KnownWebhookEvent =
  | WebhookEnvelope<'ACCOUNT.ONRAMP.CREATE', AccountEventData>
  | WebhookEnvelope<'ACCOUNT.ONRAMP.UPDATE', AccountEventData>
  | WebhookEnvelope<'TRANSFER.APPROVAL.PENDING', ApprovalEventData>
  | WebhookEnvelope<'TRANSFER.APPROVAL.APPROVED', ApprovalEventData>
  | WebhookEnvelope<'TRANSFER.APPROVAL.REJECTED', RejectionEventData>;

/** An event of a kind that this version does not list, as received. */
export type UnknownWebhookEvent = WebhookEnvelope<UnknownWebhookEventType, Record<string, unknown>>;

/** An event of any kind, as handlers of kinds that are not documented and of wildcards receive it. */
export type OpenWebhookEvent = WebhookEnvelope<string, Record<string, unknown>>;

/**
 * An event as the service sent it. Comparing `eventType` with a documented kind narrows `data`; whatever else the
 * service sends is kept.
 */
export type WebhookEvent = KnownWebhookEvent | LikelyWebhookEvent | UnknownWebhookEvent;

/** An event of any kind, with `data` of which every field can be read. Comparing `eventType` with a kind narrows `data`. */
export type ReadableWebhookEvent = WebhookEvent & {
  /** The record that the event is about. */
  data: Record<string, unknown>;
};

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
type KindsOf<Beginning extends string> =
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
