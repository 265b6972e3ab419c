import { createOnramp, refreshQuote } from '../../service/onramps/onramps.ts';
import type { OnrampObject, OnrampRecord } from '../../service/records/index.ts';
import { amount, check, object, optionalText, requestId, text } from '../request-body.ts';
import { ok, once, type Route } from './route.ts';

const newOnramp = object({
  requestId,
  source: object({
    userId: text,
    currency: text,
    amount,
    transferType: optionalText,
    accountId: optionalText,
    country: optionalText,
  }),
  destination: object({
    userId: text,
    currency: text,
    chain: text,
    walletAddress: optionalText,
    externalWalletId: optionalText,
  }),
});

export const onrampRoutes: readonly Route[] = [
  {
    operation: 'onramps.create',
    method: 'POST',
    path: '/v2/onramps',
    handle: (call) => {
      const params = check(newOnramp, call.body);
      return once(call, 'onramps.create', params.requestId, () =>
        onrampWire(createOnramp(call.world, params)),
      );
    },
  },
  {
    operation: 'onramps.refreshQuote',
    method: 'POST',
    path: '/v2/onramps/:transferId/quote/refresh',
    handle: ({ world, path }) => ok(onrampWire(refreshQuote(world, path('transferId')))),
  },
];

export function onrampWire({ transferType, transferDetails }: OnrampRecord): OnrampObject {
  return { transferType, transferDetails };
}
