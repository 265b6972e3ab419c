import { bridge } from '../shared/service/bridges.ts';
import { shape } from './zod.ts';

/** The spec does not show the record, so that nothing in it is essential. */
export const bridgeShape = /* @__PURE__ */ shape(bridge, []);
