// The function that makes ids, alone.
import { requestIdFrom } from 'stablecoin-payments';

console.log(requestIdFrom('payroll', 1));
