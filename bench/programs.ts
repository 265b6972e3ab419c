import { ours } from './targets.ts';

/** A client's smallest program: its import, and one call. For cold starts and bundles. */
export interface Program {
  readonly specifier: string;
  readonly source: (base: string) => string;
}

const main = '../dist/index.js';

export const programs: Record<string, Program> = {
  [ours]: {
    specifier: main,
    source: (base) => `import { PaymentsClient } from '${main}';
const payments = new PaymentsClient({ baseUrl: '${base}', accessToken: () => 'example-token' });
globalThis.answer = await payments.kyc.retrieve('small');`,
  },
  'stripe-node': {
    specifier: 'stripe',
    source: (base) => `import Stripe from 'stripe';
const { hostname, port } = new URL('${base}');
const stripe = new Stripe('example-token', { host: hostname, port, protocol: 'http', telemetry: false });
globalThis.answer = await stripe.customers.retrieve('small');`,
  },
  'openai-node': {
    specifier: 'openai',
    source: (base) => `import OpenAI from 'openai';
const openai = new OpenAI({ apiKey: async () => 'example-token', baseURL: '${base}' });
globalThis.answer = await openai.models.retrieve('small');`,
  },
  'modern-treasury': {
    specifier: 'modern-treasury',
    source: (base) => `import ModernTreasury from 'modern-treasury';
const client = new ModernTreasury({ apiKey: 'example-token', organizationID: 'o-1', baseURL: '${base}' });
globalThis.answer = await client.counterparties.retrieve('small');`,
  },
  axios: {
    specifier: 'axios',
    source: (base) => `import axios from 'axios';
globalThis.answer = (await axios.get('${base}/v2/users/small/kyc')).data;`,
  },
  got: {
    specifier: 'got',
    source: (base) => `import got from 'got';
globalThis.answer = await got.get('${base}/v2/users/small/kyc').json();`,
  },
};
