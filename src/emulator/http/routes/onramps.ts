import * as z from 'zod/mini';
import type { Dialect } from '../../dialect/dialect.ts';
import { onrampWire } from '../../dialect/transfers.ts';
import { atLeastOne, exactlyOne, oneGroup, where, withRules } from '../../reading/field-rules.ts';
import { noQuery } from '../../reading/query.ts';
import { amount, flag, noBody, object, optionalText, requestId, text } from '../../reading/request-body.ts';
import { acceptOnrampQuote, createOnramp, refreshQuote } from '../../service/onramps/onramps.ts';
import { AFRICAN_CURRENCIES, FIAT_CURRENCIES } from '../../service/quotes.ts';
import { ok, once, route } from './route.ts';
import { fee } from './transfer-bodies.ts';

const fiat = z.enum(FIAT_CURRENCIES, { error: 'is not a currency of the emulator' });

const destination = object({
  userId: optionalText,
  currency: optionalText,
  chain: optionalText,
  amount: z.nullish(amount),
  externalWalletId: optionalText,
});

/** The body of a creation. An external wallet has a chain, and takes one stablecoin: then neither need be given. */
function newOnramp({ purposeOfPayment }: Dialect) {
  const body = object({
    requestId,
    purposeOfPayment: optionalText,
    isInstant: flag,
    source: object({
      userId: text,
      currency: fiat,
      amount: z.nullish(amount),
      transferType: optionalText,
      accountId: optionalText,
    }),
    destination,
    fee,
  });
  return withRules(body, [
    exactlyOne('number', ['source.amount', 'destination.amount']),
    atLeastOne('string', ['destination.userId', 'destination.externalWalletId']),
    oneGroup([['destination.currency', 'destination.chain'], ['destination.externalWalletId']]),
    where('source.currency', AFRICAN_CURRENCIES, oneGroup([['source.accountId']])),
    ...(purposeOfPayment === 'required'
      ? [where('source.currency', AFRICAN_CURRENCIES, oneGroup([['purposeOfPayment']]))]
      : []),
  ]);
}

export const onrampRoutes = [
  route({
    operation: 'onramps.create',
    method: 'POST',
    path: '/v2/onramps',
    summary: 'Creates an onramp.',
    body: newOnramp,
    query: noQuery,
    handle: (call) =>
      once(call, 'onramps.create', call.body.requestId, () =>
        onrampWire(call.world.dialect, createOnramp(call.world, call.body)),
      ),
  }),
  route({
    operation: 'onramps.refreshQuote',
    method: 'POST',
    path: '/v2/onramps/:transferId/quote/refresh',
    summary: 'Replaces the quote of an onramp whose status is OPEN_QUOTE.',
    body: noBody,
    query: noQuery,
    handle: ({ world, path }) => ok(onrampWire(world.dialect, refreshQuote(world, path('transferId')))),
  }),
  route({
    operation: 'onramps.acceptQuote',
    method: 'POST',
    path: '/v2/onramps/:transferId/quote/accept',
    summary: 'Accepts the quote of an onramp whose status is OPEN_QUOTE.',
    body: noBody,
    query: noQuery,
    handle: ({ world, path }) => ok(onrampWire(world.dialect, acceptOnrampQuote(world, path('transferId')))),
  }),
];
