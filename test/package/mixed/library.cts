import type { APIPromise, Kyc, KycInformation, PaymentsClient, PaymentsError } from 'stablecoin-payments';

/** A CommonJS library that takes a client, whatever copy of the package made it. */
export const read = (payments: Pick<PaymentsClient, 'kyc'>): APIPromise<KycInformation> =>
  payments.kyc.retrieve('u1');
export const readWhole = (payments: PaymentsClient) => payments.transfers;
export const readNamespace = (kyc: Kyc) => kyc.retrieve('u1');
export const tell = (error: PaymentsError) => error.outcome;
