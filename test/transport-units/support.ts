import { refusalNames } from '../../src/evidence/refusal.ts';
import { createCredentials } from '../../src/transport/attempt/credentials.ts';
import type { CallContext, PreparedCall } from '../../src/transport/call/call.ts';
import { ResponseJudge } from '../../src/transport/response/judge.ts';

const requestId = '6fa459ea-ee8a-4ca4-894e-db77e160355e';

/** A prepared transfer, or what a test makes of it. */
const preparedCall = (part: Partial<PreparedCall> = {}): PreparedCall => ({
  operation: 'transfers.create',
  method: 'POST',
  template: '/v2/wallets/transfers',
  safety: 'keyed',
  origin: 'https://pay.example',
  url: 'https://pay.example/v2/wallets/transfers',
  headers: {},
  body: '{}',
  requestId,
  key: undefined,
  isPayment: true,
  refusals: refusalNames(),
  credentials: createCredentials('token', '`accessToken`'),
  timeout: 30_000,
  deadline: undefined,
  retries: { limit: 2, minDelay: 0, maxDelay: 0 },
  sleep: undefined,
  signal: undefined,
  maxResponseBytes: 1_000_000,
  judge: new ResponseJudge(
    {
      name: 'x',
      method: 'POST',
      path: '/x',
      retrySafety: 'keyed',
      response: (value) => ({ value, fatal: [], minor: [] }),
    },
    { path: undefined, requestId },
    'tolerant',
  ),
  ...part,
});

/** What is known of a call whose first attempt was refused. */
export const callContext = (part: Partial<PreparedCall> = {}): CallContext => ({
  call: preparedCall(part),
  attempts: 1,
  sent: true,
  before: undefined,
  secrets: [],
});
