import { pay, readInvoice } from '../../../../pay.ts';
import { payments } from '../../../payments.ts';

export async function POST(request: Request): Promise<Response> {
  const invoice = readInvoice(await request.json().catch(() => undefined));
  if (invoice === undefined)
    return Response.json({ error: 'Send id, payer, payee and amount.' }, { status: 400 });
  const { status, body } = await pay(payments(), invoice);
  return Response.json(body, { status });
}
