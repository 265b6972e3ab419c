import { onrampWire } from '../../dialect/transfers.ts';
import { newOnramp } from '../../reading/payment-bodies.ts';
import { acceptOnrampQuote, createOnramp, refreshQuote } from '../../service/onramps/onramps.ts';
import { creation, NO_INPUT, ok, route } from './route.ts';

export const onrampRoutes = [
  creation({
    operation: 'onramps.create',
    path: '/v2/onramps',
    summary: 'Creates an onramp.',
    body: newOnramp,
    make: (world, body) => onrampWire(world.dialect, createOnramp(world, body)),
  }),
  route({
    operation: 'onramps.refreshQuote',
    method: 'POST',
    path: '/v2/onramps/:transferId/quote/refresh',
    summary: 'Replaces the quote of an onramp whose status is OPEN_QUOTE.',
    ...NO_INPUT,
    handle: ({ world, path }) => ok(onrampWire(world.dialect, refreshQuote(world, path('transferId')))),
  }),
  route({
    operation: 'onramps.acceptQuote',
    method: 'POST',
    path: '/v2/onramps/:transferId/quote/accept',
    summary: 'Accepts the quote of an onramp whose status is OPEN_QUOTE.',
    ...NO_INPUT,
    handle: ({ world, path }) => ok(onrampWire(world.dialect, acceptOnrampQuote(world, path('transferId')))),
  }),
];
