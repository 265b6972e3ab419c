import { kycInformation } from '../shared/service/kyc.ts';
import { shape } from './zod.ts';

export { kycInfo } from '../shared/service/kyc.ts';

export const kycInformationShape = /* @__PURE__ */ shape(kycInformation, ['userId', 'kycInfo']);
