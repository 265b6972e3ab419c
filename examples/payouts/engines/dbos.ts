import { DBOS } from '@dbos-inc/dbos-sdk';
import {
  type CheckedOrder,
  drivePayout,
  type PayoutMessage,
  type PayoutSituation,
} from 'stablecoin-payments/payouts';
import { makeStep } from './step.ts';

/**
 * Payouts on DBOS: a library on your PostgreSQL.
 *
 * Gives: a workflow for each payout, found by its id; a queue with a limit of payouts at once, and a rate; timers and messages
 * that outlive the process.
 * Lacks: your ledger in the same transaction. A payout that waits keeps a promise in memory and a place in the queue. The
 * payouts of a process that died go on once a process with the same `executorID` starts, or by a paid service.
 */
const step = makeStep();

/** A step is stored with its result, as text. One that was cut off runs again: it does not know the token, and does not call. */
const advance = async (situation: PayoutSituation, message?: PayoutMessage): Promise<PayoutSituation> =>
  JSON.parse(
    await DBOS.runStep(async () => JSON.stringify(await step(situation, message)), { name: 'advance' }),
  );

const waitFor = async (milliseconds: number): Promise<PayoutMessage | undefined> =>
  (await DBOS.recv<PayoutMessage>('message', milliseconds / 1000)) ?? undefined;

const pay = DBOS.registerWorkflow((order: CheckedOrder) => drivePayout({ advance, waitFor }, order), {
  name: 'payout',
});

/** Starts DBOS. Each process that pays has an `executorID` of its own, and the same one after a restart. */
export async function startEngine(systemDatabaseUrl: string, executorID: string): Promise<void> {
  DBOS.setConfig({
    name: 'payouts',
    systemDatabaseUrl,
    executorID,
    applicationVersion: 'payouts-1',
    logLevel: 'error',
  });
  await DBOS.launch();
  await DBOS.registerQueue('payouts', { workerConcurrency: 64 });
}

/** The id of the workflow: again, it starts nothing. */
const idOf = ({ payer, id }: CheckedOrder): string => `${payer}:${id}`;

/** Starts the payouts, one after the other: a file is not accepted as a whole, so start all of it again when in doubt. */
export async function enqueue(orders: readonly CheckedOrder[]): Promise<void> {
  for (const order of orders) {
    const known = await DBOS.getWorkflowStatus(idOf(order));
    const [input] = known?.input ?? [];
    if (known !== null && JSON.stringify(input) !== JSON.stringify(order))
      throw new RangeError(`Payout "${order.id}" differs from the one that was started.`);
    if (known === null)
      await DBOS.startWorkflow(pay, { workflowID: idOf(order), queueName: 'payouts' })(order);
  }
}

/** Tells a payout of an event, a decision or a person. A second message with the same id changes nothing. */
export const tell = (order: CheckedOrder, messageId: string, message: PayoutMessage): Promise<void> =>
  DBOS.send(idOf(order), message, 'message', messageId);

/** Waits for the end of a payout. */
export const ended = (order: CheckedOrder): Promise<PayoutSituation> =>
  DBOS.retrieveWorkflow<PayoutSituation>(idOf(order)).getResult();

export const stopEngine = (): Promise<void> => DBOS.shutdown();
