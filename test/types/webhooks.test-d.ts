import { describe, expectTypeOf, it } from 'vitest';
import type { OnrampStatus } from '../../src/client/index.ts';
import type { PayoutWebhookHandlers } from '../../src/payouts/index.ts';
import type { LikelyWebhookKind } from '../../src/shared/service/webhook-events.ts';
import {
  type BridgeEventData,
  createWebhookReceiver,
  isKnownEvent,
  jwtBearer,
  type OfframpEventData,
  type OnrampEventData,
  verified,
  type WebhookEvent,
  type WebhookHandlers,
  type WebhookVerifier,
} from '../../src/webhooks/index.ts';

const event = {} as WebhookEvent;
const handle = (handlers: WebhookHandlers) =>
  createWebhookReceiver({ verifier: async () => true }).handler(handlers);

describe('the types of webhook events', () => {
  it('let the handlers of payouts be passed to a receiver', () => {
    expectTypeOf(handle({} as PayoutWebhookHandlers)).toBeFunction();
  });

  it('narrow data by a documented kind, and by no misspelled field', () => {
    if (event.eventType === 'TRANSFER.APPROVAL.REJECTED') {
      expectTypeOf(event.data.transferId).toEqualTypeOf<string>();
      expectTypeOf(event.data.comment).toEqualTypeOf<string | null | undefined>();
      // @ts-expect-error -- misspelled
      event.data.transferID;
    }
    if (event.eventType === 'TRANSFER.APPROVAL.PENDING') {
      // @ts-expect-error -- only rejections carry a comment
      event.data.comment;
    }
  });

  it('narrow data by a kind that is not documented, with what is likely in it', () => {
    if (event.eventType === 'ONRAMP.STATUS.COMPLETED') {
      expectTypeOf(event.data.id).toEqualTypeOf<string | undefined>();
      expectTypeOf(event.data.transferDetails?.depositInfo?.reference).toEqualTypeOf<
        string | null | undefined
      >();
      expectTypeOf(event.data.somethingNew).toEqualTypeOf<unknown>();
    }
    if (event.eventType === 'ONRAMP.SOMETHING.NEW') expectTypeOf(event.data).toEqualTypeOf<OnrampEventData>();
    if (event.eventType === 'OFFRAMP.RFI.OPEN') expectTypeOf(event.data).toEqualTypeOf<OfframpEventData>();
    if (event.eventType === 'WALLET.TRANSFER.BATCH') {
      expectTypeOf(event.data.transferDetails?.destination?.batch?.[0]?.amount).toEqualTypeOf<
        number | string | null | undefined
      >();
    }
    if (event.eventType === 'WALLET.BRIDGE.UPDATE') expectTypeOf(event.data).toEqualTypeOf<BridgeEventData>();
    if (event.eventType === 'WALLET.TOKEN.BALANCE.UPDATE') {
      expectTypeOf(event.data.chain).toEqualTypeOf<string | null | undefined>();
    }
    if (event.eventType === 'ACCOUNT.OFFRAMP.UPDATE') {
      expectTypeOf(event.data.accountId).toEqualTypeOf<string | null | undefined>();
    }
  });

  it('leave every other kind open, with its data as received', () => {
    if (event.eventType === 'KYC.SOMETHING.NEW') expectTypeOf(event.data.id).toEqualTypeOf<unknown>();
    if (event.eventType === 'USER.STATUS.UPDATE') expectTypeOf(event.data.id).toEqualTypeOf<unknown>();
    if (!isKnownEvent(event)) expectTypeOf(event.data.anything).toEqualTypeOf<unknown>();
  });

  it('complete every kind of the notes, and one for every status', () => {
    expectTypeOf<
      | 'USER.STATUS.CREATE'
      | 'KYC.DATA.UPDATE'
      | 'ACCOUNT.VIRTUAL_ACCOUNT.UPDATE'
      | 'WALLET.TRANSFER.CREATE'
      | 'WALLET.TOKEN.BALANCE.UPDATE'
      | 'ONRAMP.TRANSACTION.CREATED'
      | `ONRAMP.STATUS.${OnrampStatus}`
      | 'OFFRAMP.STATUS.IN_REVIEW'
      | 'OFFRAMP.RFI.CLOSED'
    >().toExtend<LikelyWebhookKind>();
    expectTypeOf<'ONRAMP.CREATE' | 'OFFRAMP.UPDATE'>().not.toExtend<LikelyWebhookKind>();
  });

  it('describe the whole envelope', () => {
    expectTypeOf(event.eventId).toEqualTypeOf<string | null | undefined>();
    expectTypeOf(event.eventCategory).toEqualTypeOf<string | null | undefined>();
    expectTypeOf(event.timestamp).toEqualTypeOf<string | number | null | undefined>();
    expectTypeOf(event.version).toEqualTypeOf<string | number | null | undefined>();
    expectTypeOf<'CREATE'>().toExtend<NonNullable<typeof event.eventAction>>();
    // @ts-expect-error -- misspelled
    event.evnetId;
  });

  it('let any kind and wildcard have a handler', () => {
    handle({
      'TRANSFER.APPROVAL.APPROVED': ({ data }) => expectTypeOf(data.transferId).toEqualTypeOf<string>(),
      'TRANSFER.APPROVAL.*': ({ data }) => expectTypeOf(data.id).toEqualTypeOf<unknown>(),
      'ONRAMP.*': ({ data }) => expectTypeOf(data).toEqualTypeOf<OnrampEventData>(),
      'ONRAMP.STATUS.COMPLETED': ({ data }) => expectTypeOf(data.id).toEqualTypeOf<string | undefined>(),
      'OFFRAMP.CREATE': ({ data }) => expectTypeOf(data).toEqualTypeOf<OfframpEventData>(),
      'WALLET.*': ({ data }) => expectTypeOf(data).toEqualTypeOf<Record<string, unknown>>(),
      'MY.OWN.KIND': ({ eventType }, { id }) => expectTypeOf([eventType, id]).toEqualTypeOf<string[]>(),
      PING: async () => undefined,
      otherwise: (received) => {
        // Every field can be read, and a comparison still narrows.
        expectTypeOf(received.data.anything).toEqualTypeOf<unknown>();
        void received.data.id;
        if (received.eventType === 'TRANSFER.APPROVAL.REJECTED') {
          expectTypeOf(received.data.transferId).toEqualTypeOf<string>();
        }
      },
    });
    // A handler for any event still fits.
    handle({ otherwise: (_received: WebhookEvent) => undefined });
    // @ts-expect-error -- misspelled
    handle({ otherwize: () => undefined });
    // @ts-expect-error -- not a function
    handle({ 'MY.OWN.KIND': 'later' });
    // @ts-expect-error -- a field that the kind does not have
    handle({ 'TRANSFER.APPROVAL.PENDING': ({ data }) => data.comment });
  });
});

describe('the types of verifiers', () => {
  it('accept with true or verified() alone', () => {
    expectTypeOf(async () => true).toExtend<WebhookVerifier>();
    expectTypeOf(async () => verified({ id: 'd1' })).toExtend<WebhookVerifier>();
    expectTypeOf(async () => ({ id: 'd1' })).not.toExtend<WebhookVerifier>();
    expectTypeOf(async () => ({ valid: false })).not.toExtend<WebhookVerifier>();
    expectTypeOf(async () => undefined).not.toExtend<WebhookVerifier>();
  });

  it('demand the choice of a body binding', () => {
    // @ts-expect-error -- bodyBinding is missing
    jwtBearer({ publicKey: '' });
  });
});
