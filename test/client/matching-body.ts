import type { Seen } from './support.ts';

/**
 * The body with the ids of the request that it belongs to, and with the payment that was sent, where it shows them. The
 * tests of other payments' records do without.
 */
export function matchingBody(body: unknown, { url, body: sent }: Pick<Seen, 'url' | 'body'>): unknown {
  const [, , noun, id = '', part, accountId] = new URL(url).pathname.split('/').map(decodeURIComponent);
  if (noun === 'users') {
    const ids = part === 'accounts' && accountId !== undefined ? { id: accountId } : {};
    return replace(body, { userId: id, ...ids });
  }
  if (noun === 'transfer-approvals') return replace(body, { approvalId: id });
  if (!isRecord(body) || !isRecord(body.transferDetails)) return body;
  const details = noun === 'onramps' && id !== '' ? { id } : paymentIn(sent, body.transferDetails);
  return { ...body, transferDetails: replace(body.transferDetails, details) };
}

/** The key, amount, currency, payer and payee of a payment that was sent, in the form of a record. */
function paymentIn(sent: string | undefined, shown: Record<string, unknown>): Record<string, unknown> {
  const params: unknown = sent === undefined ? undefined : JSON.parse(sent);
  if (!isRecord(params)) return {};
  const { requestId, currency, source, destination } = params;
  const batch = isRecord(destination) && Array.isArray(destination.batch) ? destination.batch : undefined;
  const total = batch?.reduce((sum: number, { amount }) => sum + Number(amount), 0);
  return {
    requestId,
    currency,
    amount: params.amount ?? total,
    source: isRecord(source) ? replace(shown.source, source) : undefined,
    destination: isRecord(destination) ? replace(shown.destination, destination) : undefined,
    recipients: batch,
  };
}

/** Replaces what a record shows. */
function replace(body: unknown, values: Record<string, unknown>): unknown {
  if (!isRecord(body)) return body;
  const shown = Object.entries(values).filter(
    ([name, value]) => value !== undefined && body[name] !== undefined && body[name] !== null,
  );
  return { ...body, ...Object.fromEntries(shown) };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
