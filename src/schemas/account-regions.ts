import type { RegionalAccountParams, RegionalAccountType } from '../types/account-details-params.ts';

/** The fields of each region. The one list for types, schemas and checks. */
export const regionalAccountFields = {
  brazil: ['pixKey', 'currency'],
  colombia: ['bankName', 'bankCode', 'accountNumber', 'accountType', 'currency'],
  argentina: ['accountType', 'accountNumber', 'currency'],
  mexico: ['speiProtocol', 'speiInstitutionCode', 'speiClabe', 'currency'],
  brazilGlobalNetwork: ['email', 'phone', 'pix', 'currency'],
  nigeriaGlobalNetwork: ['bankName', 'accountNumber', 'currency'],
  mexicoGlobalNetwork: ['speiClabe', 'currency'],
  hongKongGlobalNetwork: ['bankName', 'accountNumber', 'swiftCode', 'bankCode', 'transferType', 'currency'],
  chinaGlobalNetwork: ['bankName', 'accountNumber', 'swiftCode', 'currency'],
  singaporeGlobalNetwork: ['bankName', 'accountNumber', 'swiftCode', 'currency'],
} as const satisfies { [Region in RegionalAccountType]: readonly (keyof RegionalAccountParams[Region])[] };
