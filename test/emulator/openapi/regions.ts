import { HOLDER, US_ACCOUNT } from '../support.ts';

const bank = { bankName: 'B', accountNumber: '1', swiftCode: 'ABCDEFGH' };
/** The details of each region with every field that they have, and the three forms of an account in the US. */
export const REGIONS = [
  { type: 'us', us: { ...US_ACCOUNT.us, bankAddress: HOLDER.address, iban: 'I', swiftCode: 'S' } },
  { type: 'us', us: { ...US_ACCOUNT.us, bankAddress: '1 Road' } },
  { type: 'us', us: { transferType: 'swift', bankName: 'B', iban: 'I', swiftCode: 'S', currency: 'usd' } },
  { type: 'us', us: { transferType: 'swift', ...bank, currency: 'usd' } },
  {
    type: 'africa',
    africa: {
      financialInstitute: 'MTN',
      accountType: 'momo',
      accountNumber: '07',
      currency: 'ugx',
      country: 'uga',
    },
  },
  { type: 'brazil', brazil: { pixKey: 'k', currency: 'brl' } },
  {
    type: 'colombia',
    colombia: { bankName: 'B', bankCode: '1', accountNumber: '1', accountType: 'checking', currency: 'cop' },
  },
  { type: 'argentina', argentina: { accountType: 'CVU', accountNumber: '1', currency: 'ars' } },
  {
    type: 'mexico',
    mexico: { speiProtocol: 'clabe', speiInstitutionCode: '1', speiClabe: '1', currency: 'mxn' },
  },
  {
    type: 'brazilGlobalNetwork',
    brazilGlobalNetwork: { email: 'a@b.test', phone: '+5511987654321', pix: 'k', currency: 'brl' },
  },
  {
    type: 'nigeriaGlobalNetwork',
    nigeriaGlobalNetwork: { bankName: 'B', accountNumber: '1', currency: 'ngn' },
  },
  { type: 'mexicoGlobalNetwork', mexicoGlobalNetwork: { speiClabe: '1', currency: 'mxn' } },
  {
    type: 'hongKongGlobalNetwork',
    hongKongGlobalNetwork: { ...bank, bankCode: '1', transferType: 'chats', currency: 'hkd' },
  },
  { type: 'chinaGlobalNetwork', chinaGlobalNetwork: { ...bank, currency: 'cny' } },
  { type: 'singaporeGlobalNetwork', singaporeGlobalNetwork: { ...bank, currency: 'sgd' } },
] as const;
