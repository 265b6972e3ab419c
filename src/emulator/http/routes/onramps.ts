import { onrampWire } from '../../dialect/transfers.ts';
import { acceptOnrampQuote, createOnramp, refreshQuote } from '../../service/onramps/onramps.ts';
import { noQuery } from '../reading/query.ts';
import { amount, nothing, object, optionalText, requestId, text } from '../reading/request-body.ts';
import { fee, oneAmount, oneOfFields } from './money-fields.ts';
import { ok, once, route } from './route.ts';

const newOnramp = object({
  requestId,
  purposeOfPayment: optionalText,
  source: object({
    userId: text,
    currency: text,
    amount: amount.nullish(),
    transferType: optionalText,
    accountId: optionalText,
    country: optionalText,
  }),
  destination: object({
    userId: optionalText,
    currency: text,
    chain: text,
    amount: amount.nullish(),
    walletAddress: optionalText,
    externalWalletId: optionalText,
  }),
  fee,
});

export const onrampRoutes = [
  route({
    operation: 'onramps.create',
    method: 'POST',
    path: '/v2/onramps',
    summary: 'Creates an onramp.',
    body: newOnramp,
    query: noQuery,
    handle: (call) => {
      const params = call.body;
      oneAmount(params);
      oneOfFields('destination', params.destination, ['userId', 'externalWalletId', 'walletAddress']);
      return once(call, 'onramps.create', params.requestId, () =>
        onrampWire(createOnramp(call.world, params)),
      );
    },
  }),
  route({
    operation: 'onramps.refreshQuote',
    method: 'POST',
    path: '/v2/onramps/:transferId/quote/refresh',
    summary: 'Replaces the quote of an onramp whose status is OPEN_QUOTE.',
    body: nothing,
    query: noQuery,
    handle: ({ world, path }) => ok(onrampWire(refreshQuote(world, path('transferId')))),
  }),
  route({
    operation: 'onramps.acceptQuote',
    method: 'POST',
    path: '/v2/onramps/:transferId/quote/accept',
    summary: 'Accepts the quote of an onramp whose status is OPEN_QUOTE.',
    body: nothing,
    query: noQuery,
    handle: ({ world, path }) => ok(onrampWire(acceptOnrampQuote(world, path('transferId')))),
  }),
];
