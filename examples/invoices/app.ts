import { Hono } from 'hono';
import { isPaymentsError, type PaymentsClient } from 'stablecoin-payments';
import { createWebhookReceiver, type DedupeStore, type WebhookVerifier } from 'stablecoin-payments/webhooks';
import type { Payer } from './pay.ts';
import type { Entry, Invoice, Store } from './store.ts';

/** What the application needs. */
export interface AppOptions {
  readonly store: Store;
  readonly payments: PaymentsClient;
  readonly payer: Payer;
  readonly verifier: WebhookVerifier;
  readonly dedupe: DedupeStore;
}

const aDay = 24 * 60 * 60 * 1000;
/** From this amount on, a person approves the transfer. */
const approvalFrom = 1000;

/** The routes. Put your own login in front of all but `/webhooks`. */
export function createApp({ store, payments, payer, verifier, dedupe }: AppOptions): Hono {
  const app = new Hono();

  app.post('/invoices', async (context) => {
    const entry = readEntry(await context.req.json().catch(() => undefined));
    if (entry === undefined)
      return context.json({ error: 'Send id, payee, and amount as text, such as "25.00".' }, 400);
    const isNew = store.add(entry);
    return isNew
      ? context.json(store.get(entry.id), 201)
      : context.json({ error: 'This invoice exists.' }, 409);
  });

  app.get('/invoices/:id', (context) => reply(store.get(context.req.param('id'))));

  /** 200: the state is known. 202: ask again later. A second click does no harm. */
  app.post('/invoices/:id/pay', async (context) => {
    const id = context.req.param('id');
    const invoice = store.begin(id);
    if (invoice !== undefined) await payer.send(invoice);
    return reply(store.get(id));
  });

  app.post('/invoices/:id/approve', (context) =>
    decide(context.req.param('id'), (approvalId) => payments.approvals.approve(approvalId)),
  );
  app.post('/invoices/:id/reject', (context) =>
    decide(context.req.param('id'), (approvalId) => payments.approvals.reject(approvalId)),
  );

  app.post('/invoices/:id/renew', (context) => {
    store.renew(context.req.param('id'));
    return reply(store.get(context.req.param('id')));
  });

  /** Invoices that a person must check: failed on the way, or open for a day. */
  app.get('/stuck', (context) => context.json(store.stuck(aDay)));

  const receive = createWebhookReceiver({ verifier, dedupe }).handler({
    'TRANSFER.APPROVAL.*': (event) => payer.changed(String(event.data.transferId)),
    'WALLET.TRANSFER.*': (event) => payer.changed(String(event.data.id)),
  });
  app.post('/webhooks', (context) => receive(context.req.raw));
  return app;

  /** Decides, and then reads the transfer: after a lost response only the service can tell what was decided. */
  async function decide(id: string, decision: (approvalId: string) => Promise<unknown>): Promise<Response> {
    const invoice = store.get(id);
    if (invoice?.approvalId === undefined || invoice.approvalId === null || invoice.state !== 'approval')
      return Response.json({ error: 'There is nothing to decide.' }, { status: 409 });
    try {
      await decision(invoice.approvalId);
    } catch (error) {
      if (!isPaymentsError(error)) throw error;
      store.note(invoice.requestId, error.message);
    }
    await payer.check(invoice);
    return reply(store.get(id));
  }
}

function reply(invoice: Invoice | undefined): Response {
  if (invoice === undefined) return Response.json({ error: 'There is no such invoice.' }, { status: 404 });
  const isOpen = invoice.state === 'sending' || invoice.state === 'executing';
  return Response.json(invoice, { status: isOpen ? 202 : 200 });
}

/** A plain decimal above 0, as the client takes it: without leading zeros, at most 15 digits. USDC has 6 decimals. */
const amountPattern = /^(?!0(\.0+)?$)(0|[1-9]\d{0,8})(\.\d{1,6})?$/;

function readEntry(value: unknown): Entry | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { id, payee, amount }: Partial<Record<keyof Invoice, unknown>> = value;
  if (typeof id !== 'string' || id === '' || typeof payee !== 'string') return undefined;
  if (typeof amount !== 'string' || !amountPattern.test(amount)) return undefined;
  return { id, payee, amount, needsApproval: Number(amount) >= approvalFrom };
}
