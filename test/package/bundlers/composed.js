// A client of one namespace: a bundle of this holds no other's addresses.
import { createClient, Kyc } from 'stablecoin-payments';

const payments = createClient(
  { kyc: Kyc },
  {
    baseUrl: 'https://payments.test',
    accessToken: 'example',
    fetch: async (url) => Response.json({ userId: 'u-1', kycInfo: { email: url } }),
  },
);
payments.kyc.retrieve('u-1').then(({ kycInfo }) => console.log(kycInfo.email));
