import { offramp } from './offramps.ts';
import { shape } from './response-shape.ts';

/** The spec does not show the record, so that nothing in it is essential. */
export const offrampShape = /* @__PURE__ */ shape(offramp, []);
