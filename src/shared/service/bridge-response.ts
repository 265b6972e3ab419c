import { bridge } from './bridges.ts';
import { shape } from './response-shape.ts';

/** The spec does not show the record, so that nothing in it is essential. */
export const bridgeShape = /* @__PURE__ */ shape(bridge, []);
