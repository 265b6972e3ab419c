import { isPaymentsError, type PaymentsClient } from 'stablecoin-payments';
import type { LedgerEntry } from '../report/audit.ts';
import { decisionOn } from './disturb.ts';

/** What is read of the emulator's state. */
interface State {
  readonly now: string;
  readonly transfers: readonly {
    readonly id: string;
    readonly requestId: string;
    readonly transferDetails: {
      readonly status: string;
      readonly amount: number;
      readonly destination: { readonly userId?: string } | null;
      readonly recipients?: readonly { readonly userId: string; readonly amount: number }[];
    };
  }[];
  readonly balances: readonly { readonly userId: string; readonly amount: string }[];
}

/** The emulator's ledger, over HTTP as anybody can read it. */
export async function readLedger(
  url: string,
): Promise<{ entries: LedgerEntry[]; now: Date; balance: string }> {
  const response = await fetch(`${url}/_emulator/state`);
  const state = (await response.json()) as State;
  const entries = state.transfers.map(({ id, requestId, transferDetails: details }) => ({
    requestId,
    transferId: id,
    status: details.status,
    payments: (
      details.recipients ?? [{ userId: details.destination?.userId ?? '', amount: details.amount }]
    ).map(({ userId, amount }) => ({ payee: userId, amount })),
  }));
  return { entries, now: new Date(state.now), balance: state.balances[0]?.amount ?? '0' };
}

/** Moves the emulator's clock. */
export async function advanceClock(url: string, advance: string): Promise<Date> {
  const response = await fetch(`${url}/_emulator/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ advance }),
  });
  const { now } = (await response.json()) as { now: string };
  return new Date(now);
}

/** Decides an approval by the emulator's own door, as a colleague does. */
export async function decideOver(url: string, id: string, decision: 'approve' | 'reject'): Promise<void> {
  await fetch(`${url}/_emulator/approvals/${id}/${decision}`, { method: 'POST' });
}

/** The colleagues who approve and reject: they decide what is pending, and forget some of it. */
export async function decidePending(
  payments: PaymentsClient,
  decide: (id: string, decision: 'approve' | 'reject') => unknown,
): Promise<void> {
  try {
    for await (const { id, transferId } of payments.approvals.list({ limit: 100 }, { retries: 3 })) {
      const decision = decisionOn(transferId);
      if (decision !== 'forget') await decide(id, decision);
    }
  } catch (error) {
    // The colleagues meet the same faults as everybody; they look again in a moment.
    if (!isPaymentsError(error)) throw error;
  }
}
