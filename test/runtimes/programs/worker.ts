import { PaymentsClient } from 'stablecoin-payments';
import { createWebhookReceiver, signWebhook, standardWebhooks } from 'stablecoin-payments/webhooks';
import { type Result, runSuite, type Surroundings } from '../suite.ts';

// Made at the top of the module, as Workers are written, and so shared by requests, which Workers forbids for sockets,
// timers and promises.
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const receiver = createWebhookReceiver({ verifier: standardWebhooks({ secret }) });
const clients = new Map<string, PaymentsClient>();

function clientOf(serviceUrl: string): PaymentsClient {
  const client =
    clients.get(serviceUrl) ?? new PaymentsClient({ baseUrl: serviceUrl, accessToken: async () => 'token' });
  clients.set(serviceUrl, client);
  return client;
}

/** One request's worth of use of what all requests share. */
async function useShared({ serviceUrl }: Surroundings): Promise<Result> {
  const title = 'serves a request with the client and the receiver that an earlier one used';
  const started = Date.now();
  try {
    await Promise.all([clientOf(serviceUrl).approvals.list(), clientOf(serviceUrl).approvals.list()]);
    const event = { eventId: 'e', eventType: 'ACCOUNT.ONRAMP.CREATE', data: {} };
    const { body, headers } = await signWebhook(event, { standardWebhooks: { secret } });
    await receiver.unwrap(body, headers);
    return { title, milliseconds: Date.now() - started };
  } catch (error) {
    return { title, milliseconds: Date.now() - started, error: String(error) };
  }
}

export default {
  async fetch(request: Request): Promise<Response> {
    const at: Surroundings = await request.json();
    return Response.json(
      new URL(request.url).pathname === '/shared' ? [await useShared(at)] : await runSuite(at),
    );
  },
};
