import { offramp } from '../shared/service/offramps.ts';
import { shape } from './zod.ts';

/** The spec does not show the record, so that nothing in it is essential. */
export const offrampShape = /* @__PURE__ */ shape(offramp, []);
