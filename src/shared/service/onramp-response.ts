import { onramp } from './onramps.ts';
import { shape } from './response-shape.ts';

export const onrampShape = /* @__PURE__ */ shape(onramp, ['transferDetails.id', 'transferDetails.status']);
