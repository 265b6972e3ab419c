import { onrampWire } from '../../dialect/transfers.ts';
import { newOnramp } from '../../reading/payment-bodies.ts';
import { noQuery } from '../../reading/query.ts';
import { noBody } from '../../reading/request-body.ts';
import { acceptOnrampQuote, createOnramp, refreshQuote } from '../../service/onramps/onramps.ts';
import { ok, once, route } from './route.ts';

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
