import { order } from './answers.ts';
import { kyAlone } from './ky-alone.ts';

/** What is measured of each client. Each call brings the parsed answer; `list` brings the records. */
export interface Target {
  getSmall(): Promise<unknown>;
  getMedium(): Promise<unknown>;
  post(): Promise<unknown>;
  list(): Promise<unknown>;
}

export type Case = keyof Target;

/** What the package is called in every table. */
export const ours = 'stablecoin-payments';

const token = 'example-token';
const json = { 'content-type': 'application/json' };
const auth = { authorization: `Bearer ${token}` };

/** Each client as its users make it: default options, the token from a function where it can be, no retries provoked. */
export const targets: Record<string, (base: string) => Promise<Target>> = {
  'undici.dispatch (the limit)': async (base) => {
    const { Agent } = await import('undici');
    const agent = new Agent();
    const call = (method: 'GET' | 'POST', path: string, body?: string) =>
      new Promise<unknown>((resolve, reject) => {
        const chunks: Buffer[] = [];
        const headers = body === undefined ? auth : { ...auth, ...json };
        agent.dispatch(
          { origin: base, path, method, headers, ...(body !== undefined && { body }) },
          {
            onRequestStart() {},
            onResponseStart() {},
            onResponseData(_controller, chunk) {
              chunks.push(chunk);
            },
            onResponseEnd() {
              resolve(JSON.parse(Buffer.concat(chunks).toString()));
            },
            onResponseError(_controller, error) {
              reject(error);
            },
          },
        );
      });
    return plain(
      (path) => call('GET', path),
      (path) => call('POST', path, JSON.stringify(order)),
    );
  },
  'undici.request': async (base) => {
    const { Agent, request } = await import('undici');
    const dispatcher = new Agent();
    return plain(
      async (path) => (await request(base + path, { dispatcher, headers: auth })).body.json(),
      async (path) =>
        (
          await request(base + path, {
            dispatcher,
            method: 'POST',
            headers: { ...auth, ...json },
            body: JSON.stringify(order),
          })
        ).body.json(),
    );
  },
  'ky and the dispatcher alone': async (base) => {
    const call = await kyAlone(base, auth.authorization);
    return plain(
      (path) => call('GET', path),
      (path) => call('POST', path, JSON.stringify(order)),
    );
  },
  fetch: async (base) =>
    plain(
      async (path) => (await fetch(base + path, { headers: auth })).json(),
      async (path) =>
        (
          await fetch(base + path, {
            method: 'POST',
            headers: { ...auth, ...json },
            body: JSON.stringify(order),
          })
        ).json(),
    ),
  [ours]: (base) => ourClient(base),
  'stripe-node': async (base) => {
    const { default: Stripe } = await import('stripe');
    const { hostname, port } = new URL(base);
    const stripe = new Stripe(token, { host: hostname, port, protocol: 'http', telemetry: false });
    return {
      getSmall: () => stripe.customers.retrieve('small'),
      getMedium: () => stripe.customers.retrieve('medium'),
      // Its forms take only its own fields by type; what is sent is the same order.
      post: () => stripe.customers.create(order as object),
      list: async () => (await stripe.customers.list({ limit: 100 })).data,
    };
  },
  'openai-node': async (base) => {
    const { default: OpenAI } = await import('openai');
    const openai = new OpenAI({ apiKey: async () => token, baseURL: base });
    return {
      getSmall: () => openai.models.retrieve('small'),
      getMedium: () => openai.models.retrieve('medium'),
      post: () => openai.post('/orders', { body: order }),
      list: async () => (await openai.models.list()).data,
    };
  },
  'modern-treasury': async (base) => {
    const { default: ModernTreasury } = await import('modern-treasury');
    const client = new ModernTreasury({ apiKey: token, organizationID: 'o-1', baseURL: base });
    return {
      getSmall: () => client.counterparties.retrieve('small'),
      getMedium: () => client.counterparties.retrieve('medium'),
      post: () => client.post('/orders', { body: order }),
      list: async () => (await client.counterparties.list()).items,
    };
  },
  axios: async (base) => {
    const { default: axios } = await import('axios');
    const { Agent } = await import('node:http');
    const client = axios.create({ baseURL: base, headers: auth, httpAgent: new Agent({ keepAlive: true }) });
    return plain(
      async (path) => (await client.get(path)).data,
      async (path) => (await client.post(path, order)).data,
    );
  },
  got: async (base) => {
    const { default: got } = await import('got');
    const { Agent } = await import('node:http');
    const client = got.extend({ headers: auth, agent: { http: new Agent({ keepAlive: true }) } });
    return plain(
      (path) => client.get(base + path).json(),
      (path) => client.post(base + path, { json: order }).json(),
    );
  },
};

function plain(get: (path: string) => Promise<unknown>, post: (path: string) => Promise<unknown>): Target {
  return {
    getSmall: () => get('/v2/users/small/kyc'),
    getMedium: () => get('/v2/users/medium/kyc'),
    post: () => post('/v2/onramps'),
    list: async () => ((await get('/v2/transfer-approvals?limit=100')) as { approvals: unknown }).approvals,
  };
}

/** What the package is called where it asks for compressed answers. */
export const oursCompressed = `${ours}, gzip`;

/** Clients that are compared with one of the above only. */
export const variants: Record<string, (base: string) => Promise<Target>> = {
  [oursCompressed]: (base) => ourClient(base, { 'accept-encoding': 'gzip', 'x-bench-encoding': 'gzip' }),
};

async function ourClient(base: string, headers?: Record<string, string>): Promise<Target> {
  const { PaymentsClient } = await import('../dist/index.js');
  const payments = new PaymentsClient({
    baseUrl: base,
    accessToken: () => token,
    ...(headers && { headers }),
  });
  return {
    getSmall: () => payments.kyc.retrieve('small'),
    getMedium: () => payments.kyc.retrieve('medium'),
    post: () => payments.onramps.create(order),
    list: async () => (await payments.approvals.list({ limit: 100 })).items,
  };
}
