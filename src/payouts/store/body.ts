import { differencesOf } from '../../helpers/payment-record.ts';
import { isRecord } from '../../values.ts';
import type { Sql } from '../database.ts';
import { isBatch, type PaymentBody } from '../rules/record.ts';

/** The form in which the service takes the amounts of a batch. */
export type BatchAmounts = 'text' | 'number';

/** The values of a payment's body. */
export interface BodyParts {
  readonly requestId: string;
  readonly payer: string;
  readonly currency: string;
  readonly chain: string;
  readonly needsApproval: boolean;
  readonly isBatch: boolean;
  readonly recipients: readonly { readonly payee: string; readonly amount: string }[];
}

/**
 * Writes the body of a payment. It is stored, and every attempt sends it again to the byte: a service compares a retry
 * with the first request.
 */
export function writeBody(
  { requestId, payer, currency, chain, needsApproval, isBatch, recipients }: BodyParts,
  batchAmounts: BatchAmounts,
): string {
  const common = { requestId, source: { userId: payer }, currency, chain, requireApproval: needsApproval };
  const batch = recipients.map(({ payee, amount }) => ({
    userId: payee,
    amount: batchAmounts === 'text' ? amount : Number(amount),
  }));
  const [first] = recipients;
  const body: PaymentBody = isBatch
    ? { ...common, destination: { batch } }
    : { ...common, destination: { userId: first?.payee ?? '' }, amount: Number(first?.amount) };
  return JSON.stringify(body);
}

/** Reads a stored body. This package wrote it. */
export const storedBody = (body: string): PaymentBody => JSON.parse(body);

/** Reads a stored body that somebody may have edited; undefined if it is no body. */
export function readableBody(body: string): PaymentBody | undefined {
  try {
    const read = storedBody(body);
    return isRecord(read) && isRecord(read.destination) ? read : undefined;
  } catch {
    return undefined;
  }
}

/** The rows that a body was written from. */
export interface BodyRows {
  readonly request_id: string;
  readonly payer: string;
  readonly body: string;
  /** The payees with their amounts, as JSON. */
  readonly recipients: string | null;
  readonly currency: string | null;
  readonly chain: string | null;
  readonly approval: boolean | null;
}

/** Reads the body of a payment; undefined if it is not the one of its rows, because somebody edited them. */
export function ownBody({ request_id, payer, recipients, ...row }: BodyRows): PaymentBody | undefined {
  const body = readableBody(row.body);
  if (body === undefined || recipients === null || body.requestId !== request_id) return undefined;
  if (body.chain !== row.chain || body.requireApproval !== row.approval) return undefined;
  const batch: readonly object[] = JSON.parse(recipients);
  const paid = isBatch(body) ? { destination: { batch } } : { ...batch[0], destination: batch[0] };
  const ordered = { source: { userId: payer }, currency: row.currency, ...paid };
  return differencesOf(body, ordered).length === 0 && (isBatch(body) || batch.length === 1)
    ? body
    : undefined;
}

/** Returns the body of the payment that takes over the recipients at these places from another. */
export function bodyUnder(body: PaymentBody, requestId: string, places: readonly number[]): string {
  if (!isBatch(body)) return JSON.stringify({ ...body, requestId });
  const batch = body.destination.batch.filter((_one, place) => places.includes(place));
  return JSON.stringify({ ...body, requestId, destination: { batch } });
}

/** Payments to a statement. */
const CHUNK = 500;

interface Adopted {
  readonly request_id: string;
  readonly batch: string | null;
  readonly employee: string;
  readonly payee: string;
  readonly amount: string;
  readonly currency: string;
  readonly chain: string;
  readonly needs_approval: boolean;
}

/** Gives the payments of version 1 their payer and their body, which is the one that version 1 sent. */
export async function adopt(sql: Sql, payer: string, batchAmounts: BatchAmounts): Promise<void> {
  for (;;) {
    const { rows } = await sql.query<Adopted>(
      `select o.request_id, p.batch, o.employee, o.payee, o.amount::text, o.currency, o.chain, o.needs_approval
       from payout_order o join (select request_id, batch from payout_payment where payer = ''
         order by request_id limit ${CHUNK} for update) p using (request_id)`,
    );
    if (rows.length === 0) return;
    const bodies = [];
    const places = [];
    for (const [requestId, members] of Map.groupBy(rows, ({ request_id }) => request_id)) {
      members.sort((a, b) => (a.employee < b.employee ? -1 : 1));
      for (const [place, { employee }] of members.entries())
        places.push({ request_id: requestId, employee, place });
      const [first] = members;
      if (first === undefined) continue;
      const { batch, currency, chain, needs_approval: needsApproval } = first;
      const parts = { requestId, payer, currency, chain, needsApproval, isBatch: batch !== null };
      bodies.push({
        request_id: requestId,
        body: writeBody({ ...parts, recipients: members }, batchAmounts),
      });
    }
    await sql.query(
      `update payout_payment p set payer = $1, body = c.body
       from jsonb_to_recordset($2::jsonb) as c (request_id uuid, body text) where p.request_id = c.request_id`,
      [payer, JSON.stringify(bodies)],
    );
    await sql.query(
      `update payout_order o set payer = $1, place = c.place
       from jsonb_to_recordset($2::jsonb) as c (request_id uuid, employee text, place integer)
       where o.request_id = c.request_id and o.employee = c.employee`,
      [payer, JSON.stringify(places)],
    );
    for (const table of ['payout_past', 'payout_notice'])
      await sql.query(`update ${table} set payer = $1 where payer = ''`, [payer]);
  }
}
