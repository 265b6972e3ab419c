export type { KycInfo, KycInformation, KycPerson } from '../shared/service/kyc.ts';
