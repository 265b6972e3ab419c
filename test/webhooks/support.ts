import { isPaymentsError } from 'stablecoin-payments';
import { type SignWebhookOptions, signWebhook, type WebhookVerification } from 'stablecoin-payments/webhooks';

export const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** The moment of the Standard Webhooks specification's example, in Unix seconds. */
export const moment = 1_614_265_330;
export const now = () => moment * 1000;

export const rejected = {
  eventId: 'evt_1',
  eventType: 'TRANSFER.APPROVAL.REJECTED',
  createdAt: '2021-02-25T15:02:10.000Z',
  data: { transferId: 'tr_1', amount: 250.5, comment: 'not this month', extra: { kept: true } },
  delivery: 3,
};

export const verification = (
  body: string | Uint8Array,
  headers: Record<string, string>,
  overrides: Partial<WebhookVerification> = {},
): WebhookVerification => ({
  body: new Uint8Array(typeof body === 'string' ? Buffer.from(body) : body),
  headers: new Headers(headers),
  now: now(),
  tolerance: 300_000,
  ...overrides,
});

/** The code of the error that an action ends in; anything but one of this package's errors fails the test. */
export async function codeOf(action: Promise<unknown> | (() => unknown)): Promise<string> {
  try {
    await (typeof action === 'function' ? action() : action);
  } catch (error) {
    if (isPaymentsError(error)) return error.code;
    throw error;
  }
  return 'nothing was thrown';
}

/** The code and the words of the error that an action ends in; anything but one of this package's errors fails. */
export async function refusalOf(action: Promise<unknown> | (() => unknown)): Promise<[string, string]> {
  try {
    await (typeof action === 'function' ? action() : action);
  } catch (error) {
    if (isPaymentsError(error)) return [error.code, error.message];
    throw error;
  }
  return ['nothing was thrown', ''];
}

/** A request with an event, signed as `sign` says. */
export async function signedRequest(
  event: string | object = rejected,
  sign: SignWebhookOptions = { standardWebhooks: { secret } },
): Promise<Request> {
  const { body, headers } = await signWebhook(event, sign);
  return new Request('http://receiver.test/', { method: 'POST', body, headers });
}

/** Handlers that accept every event. */
export const accepting = { otherwise: () => {} };
