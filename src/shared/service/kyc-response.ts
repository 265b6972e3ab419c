import { kycInformation } from './kyc.ts';
import { shape } from './response-shape.ts';

export { kycInfo } from './kyc.ts';

export const kycInformationShape = /* @__PURE__ */ shape(kycInformation, ['userId', 'kycInfo']);
