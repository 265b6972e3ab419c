export type { KycBeneficialOwner, KycInfo, KycInformation, KycPerson } from '../shared/service/kyc.ts';
