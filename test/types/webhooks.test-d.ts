import { describe, expectTypeOf, it } from 'vitest';
import type { PayoutWebhookHandlers } from '../../src/payouts/index.ts';
import {
  createWebhookReceiver,
  isKnownEvent,
  jwtBearer,
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

  it('leave every other kind open, with its data as received', () => {
    if (event.eventType === 'ONRAMP.STATUS.COMPLETED') expectTypeOf(event.data.id).toEqualTypeOf<unknown>();
    if (event.eventType === 'KYC.SOMETHING.NEW') expectTypeOf(event.data.id).toEqualTypeOf<unknown>();
    if (event.eventType === 'ACCOUNT.OFFRAMP.DELETE') expectTypeOf(event.data.id).toEqualTypeOf<unknown>();
    if (!isKnownEvent(event)) expectTypeOf(event.data).toEqualTypeOf<Record<string, unknown>>();
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
      'TRANSFER.APPROVAL.*': (received) => expectTypeOf(received).toEqualTypeOf<WebhookEvent>(),
      'ONRAMP.*': ({ data }) => expectTypeOf(data).toEqualTypeOf<Record<string, unknown>>(),
      'MY.OWN.KIND': ({ eventType }, { id }) => expectTypeOf([eventType, id]).toEqualTypeOf<string[]>(),
      PING: async () => undefined,
      otherwise: (received) => expectTypeOf(received).toEqualTypeOf<WebhookEvent>(),
    });
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
