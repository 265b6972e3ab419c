import { fileURLToPath } from 'node:url';
import { Client, type Connection } from '@temporalio/client';
import { type NativeConnection, Worker } from '@temporalio/worker';
import type { CheckedOrder, PayoutMessage, PayoutSituation } from 'stablecoin-payments/payouts';
import { activities } from './activities.ts';
import { message, payout } from './workflow.ts';

/**
 * Payouts on Temporal: a server with a database of its own.
 *
 * Gives: a workflow for each payout, found by its id; timers and signals; a rate for a task queue; a page of what runs.
 * Lacks: your ledger in the same transaction, and a file that is accepted as a whole. An id is remembered for the retention of
 * its namespace. A payout that waits for months makes a long history.
 */
const taskQueue = 'payouts';

export const startEngine = (connection: NativeConnection): Promise<Worker> =>
  Worker.create({
    connection,
    taskQueue,
    workflowsPath: fileURLToPath(new URL('./workflow.ts', import.meta.url)),
    activities,
  });

const idOf = ({ payer, id }: CheckedOrder): string => `${payer}:${id}`;

/** Starts the payouts, one after the other. One that was started before is refused by its id, also after its end. */
export async function enqueue(connection: Connection, orders: readonly CheckedOrder[]): Promise<void> {
  const { workflow } = new Client({ connection });
  for (const order of orders)
    await workflow.start(payout, {
      taskQueue,
      workflowId: idOf(order),
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      args: [order],
    });
}

/** Tells a payout of an event, a decision or a person. */
export const tell = (connection: Connection, order: CheckedOrder, told: PayoutMessage): Promise<void> =>
  new Client({ connection }).workflow.getHandle(idOf(order)).signal(message, told);

/** Waits for the end of a payout. */
export const ended = (connection: Connection, order: CheckedOrder): Promise<PayoutSituation> =>
  new Client({ connection }).workflow.getHandle(idOf(order)).result();
