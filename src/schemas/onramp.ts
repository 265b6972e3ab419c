import { onramp } from '../shared/service/onramps.ts';
import { shape } from './zod.ts';

export const onrampShape = /* @__PURE__ */ shape(onramp, ['transferDetails.id', 'transferDetails.status']);
