import { PaymentsClient } from 'stablecoin-payments';
import { pay, readInvoice } from './pay.ts';

// bun run server.ts: Bun serves a module whose default export has `fetch`.
const payments = new PaymentsClient();

export default {
  port: Number(process.env.PORT ?? 3000),
  async fetch(request: Request): Promise<Response> {
    const invoice = readInvoice(await request.json().catch(() => undefined));
    if (invoice === undefined)
      return Response.json({ error: 'Send id, payer, payee and amount.' }, { status: 400 });
    const { status, body } = await pay(payments, invoice);
    return Response.json(body, { status });
  },
};
