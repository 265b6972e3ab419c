import { createClient, fakeResult, Kyc, type PaymentsClient, PaymentsError } from 'stablecoin-payments';
import { read, readFake, readNamespace, readWhole, tell } from './library.cjs';

declare const payments: PaymentsClient;
const record = { userId: 'u1', kycInfo: {} };

read(payments);
readWhole(payments);
readNamespace(new Proxy(payments.kyc, {}));
readNamespace({ retrieve: () => fakeResult(record) });
read(createClient({ kyc: Kyc }));
readFake(payments);
readFake({ kyc: { retrieve: async () => record } });
tell(new PaymentsError('x', { code: 'x', outcome: 'unknown' }));
