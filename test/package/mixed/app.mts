import { type PaymentsClient, PaymentsError } from 'stablecoin-payments';
import { read, readNamespace, readWhole, tell } from './library.cjs';

declare const payments: PaymentsClient;

read(payments);
readWhole(payments);
readNamespace(new Proxy(payments.kyc, {}));
tell(new PaymentsError('x', { code: 'x', outcome: 'unknown' }));
