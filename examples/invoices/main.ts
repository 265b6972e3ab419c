import { serve } from '@hono/node-server';
import { PaymentsClient } from 'stablecoin-payments';
import { sqliteDedupe, standardWebhooks } from 'stablecoin-payments/webhooks';
import { createApp } from './app.ts';
import { createLookup } from './lookup.ts';
import { createPayer } from './pay.ts';
import { openStore } from './store.ts';

const {
  DATABASE = 'invoices.db',
  PAYER_USER_ID: payer = '',
  PORT = '3000',
  WEBHOOK_SECRET: secret = '',
} = process.env;

const store = openStore(DATABASE);
const payments = new PaymentsClient({ timeout: 5_000, deadline: 10_000 });
const lookup = createLookup(payments, payer);
const invoices = createPayer({ store, payments, lookup, payer });
const app = createApp({
  store,
  payments,
  payer: invoices,
  verifier: standardWebhooks({ secret }),
  // If the process dies in a handler, its event can be handled again after 30 seconds.
  dedupe: sqliteDedupe({ database: store.database, claimTtl: 30_000 }),
});

serve({ fetch: app.fetch, port: Number(PORT), hostname: '127.0.0.1' }, ({ port }) =>
  console.log(`Invoices on http://127.0.0.1:${port}`),
);

// The first sweep recovers what a crash left behind. The next one starts a minute after the last has ended.
for (;;) {
  await invoices.sweep();
  await new Promise((resolve) => setTimeout(resolve, 60_000));
}
