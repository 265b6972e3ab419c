// A program of its own: Node reads the proxy variables as it starts.
import { PaymentsClient } from '../../src/client/index.ts';

const { BASE_URL: baseUrl = '' } = process.env;
const payments = new PaymentsClient({
  baseUrl,
  accessToken: 'planted-token',
  dangerouslyAllowInsecureHttp: true,
  retries: 0,
});
const { userId } = await payments.kyc.retrieve('u-1');
process.stdout.write(userId);
