import * as z from './zod.ts';

const envelope = {
  /** Id of the event, where the service sends one. */
  eventId: z.nullish(z.string()),
  /** The same under another name. */
  id: z.nullish(z.string()),
  /** When it happened. */
  createdAt: z.nullish(z.string()),
};

const account = z.looseObject({});

const text = z.text();

const approvalFields = {
  /** The transfer that it is about. */
  transferId: text,
  /** Its amount. */
  amount: z.nullish(z.union([z.number(), z.string()])),
  /** Where it goes. */
  destination: z.nullish(z.union([z.string(), z.looseObject({})])),
  /** Who started it. */
  initiatorId: z.nullish(z.string()),
};

const approval = z.looseObject(approvalFields);

/** The event kinds that the service documents (spec: Events). */
export const webhookEventTypes = [
  'ACCOUNT.ONRAMP.CREATE',
  'ACCOUNT.ONRAMP.UPDATE',
  'TRANSFER.APPROVAL.PENDING',
  'TRANSFER.APPROVAL.APPROVED',
  'TRANSFER.APPROVAL.REJECTED',
] as const;

/** The five documented kinds, told apart by `eventType`. Unknown fields are kept. */
export const knownWebhookEventSchema = z.discriminatedUnion('eventType', [
  z.looseObject({ ...envelope, eventType: z.literal('ACCOUNT.ONRAMP.CREATE'), data: account }),
  z.looseObject({ ...envelope, eventType: z.literal('ACCOUNT.ONRAMP.UPDATE'), data: account }),
  z.looseObject({ ...envelope, eventType: z.literal('TRANSFER.APPROVAL.PENDING'), data: approval }),
  z.looseObject({ ...envelope, eventType: z.literal('TRANSFER.APPROVAL.APPROVED'), data: approval }),
  z.looseObject({
    ...envelope,
    eventType: z.literal('TRANSFER.APPROVAL.REJECTED'),
    data: z.looseObject({ ...approvalFields, comment: z.nullish(z.string()) }),
  }),
]);

/** What every event must have, of whatever kind. */
export const webhookEnvelopeSchema = z.looseObject({
  ...envelope,
  eventType: text,
  data: z.looseObject({}),
});

/** The kind of a documented event: `ACCOUNT.ONRAMP.CREATE` or `UPDATE`, `TRANSFER.APPROVAL.PENDING`, `APPROVED` or `REJECTED`. */
export type WebhookEventType = (typeof webhookEventTypes)[number];

/** An event of one of the five documented kinds. */
export type KnownWebhookEvent = z.infer<typeof knownWebhookEventSchema>;

/**
 * The kind of an event that this version does not know: at run time any other string, as received. The
 * type is a pattern that no documented kind matches, because with plain `string` a comparison with a
 * documented kind would not narrow `event.data`. Assign it to a `string` to compare it with a kind of
 * your own: `const kind: string = event.eventType`.
 */
export type UnknownWebhookEventType = `unknown kind: ${string}`;

/** An event of a kind that this version does not know, as received. */
export interface UnknownWebhookEvent {
  /** Fields that the spec does not show. */
  [field: string]: unknown;
  /** Id of the event, where the service sends one. */
  eventId?: string | null | undefined;
  /** The same under another name. */
  id?: string | null | undefined;
  /** When it happened. */
  createdAt?: string | null | undefined;
  /** The kind. */
  eventType: UnknownWebhookEventType;
  /** What it is about, as received. */
  data: Record<string, unknown>;
}

/**
 * An event as the service sent it. Comparing `eventType` with a documented kind narrows `data` to the
 * fields that are known of that kind; whatever else the service sends is kept and typed `unknown`.
 */
export type WebhookEvent = KnownWebhookEvent | UnknownWebhookEvent;
