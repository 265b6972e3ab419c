import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import {
  type CheckedOrder,
  callLost,
  checkPayouts,
  drivePayout,
  type PayoutSituation,
} from 'stablecoin-payments/payouts';
import { startService } from '../../proof/service.ts';

/**
 * Runs the workflow in the sandbox of Temporal, without its server: payouts are paid with the same step outside, a history is
 * written of what came, and Temporal replays the workflow with it. It fails if the workflow does anything else than its history,
 * or needs what the sandbox does not have. Not tried here: a server, several workers, kills.
 *
 *   npm run temporal
 */
const service = await startService({ lost: 0.3, refused: 0.1, late: 0 });
Object.assign(process.env, { PAYMENTS_BASE_URL: service.url, PAYMENTS_ACCESS_TOKEN: 'token' });
const { activities } = await import('./activities.ts');

const logger = new DefaultLogger('ERROR');
Runtime.install({ logger });

type Attributes = Readonly<Record<string, unknown>>;
interface HistoryEvent {
  readonly eventId: string;
  readonly eventTime: string;
  readonly eventType: string;
  readonly [attributes: string]: unknown;
}

const base64 = (text: string) => Buffer.from(text).toString('base64');
const payloads = (...values: unknown[]) => ({
  payloads: values.map((value) => ({
    metadata: { encoding: base64('json/plain') },
    data: base64(JSON.stringify(value)),
  })),
});
const queue = { taskQueue: { name: 'payouts' } };

/** Writes a history as the server would. */
class History {
  readonly events: HistoryEvent[] = [];

  /** Adds an event; its attributes have a name of their own. Returns its id. */
  add(type: string, attributes: Attributes): string {
    const eventId = String(this.events.length + 1);
    const [first = '', ...others] = type.toLowerCase().split('_');
    const name = first + others.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
    this.events.push({
      eventId,
      eventTime: new Date().toISOString(),
      eventType: `EVENT_TYPE_${type}`,
      [`${name}EventAttributes`]: attributes,
    });
    return eventId;
  }

  /** The workflow is asked what to do next. Returns the id of its answer. */
  task(): string {
    const scheduledEventId = this.add('WORKFLOW_TASK_SCHEDULED', queue);
    const startedEventId = this.add('WORKFLOW_TASK_STARTED', { scheduledEventId });
    return this.add('WORKFLOW_TASK_COMPLETED', { scheduledEventId, startedEventId });
  }
}

/** Pays one payout, and writes its history. Where `loses` is true, the process of the first call dies. */
async function pay(order: CheckedOrder, loses: boolean): Promise<{ history: History; end: PayoutSituation }> {
  const history = new History();
  history.add('WORKFLOW_EXECUTION_STARTED', {
    workflowType: { name: 'payout' },
    ...queue,
    input: payloads(order),
    originalExecutionRunId: crypto.randomUUID(),
    firstExecutionRunId: crypto.randomUUID(),
    attempt: 1,
    workflowTaskTimeout: '10s',
  });
  let activitiesSoFar = 0;
  let timers = 0;
  let isLost = !loses;
  const end = await drivePayout(
    {
      async advance(situation, message) {
        activitiesSoFar += 1;
        const scheduledEventId = history.add('ACTIVITY_TASK_SCHEDULED', {
          activityId: String(activitiesSoFar),
          activityType: { name: 'step' },
          ...queue,
          workflowTaskCompletedEventId: history.task(),
        });
        const startedEventId = history.add('ACTIVITY_TASK_STARTED', { scheduledEventId, attempt: 1 });
        if (!isLost && situation.parts.some(({ phase }) => phase === 'call')) {
          isLost = true;
          const failure = { message: 'The process died.', applicationFailureInfo: { type: 'Lost' } };
          history.add('ACTIVITY_TASK_FAILED', {
            scheduledEventId,
            startedEventId,
            failure,
            retryState: 'RETRY_STATE_MAXIMUM_ATTEMPTS_REACHED',
          });
          return callLost(situation);
        }
        const next = await activities.step(situation, message);
        history.add('ACTIVITY_TASK_COMPLETED', { scheduledEventId, startedEventId, result: payloads(next) });
        return next;
      },
      async waitFor(milliseconds) {
        timers += 1;
        const startedEventId = history.add('TIMER_STARTED', {
          timerId: String(timers),
          startToFireTimeout: `${milliseconds / 1000}s`,
          workflowTaskCompletedEventId: history.task(),
        });
        await wait(milliseconds);
        history.add('TIMER_FIRED', { timerId: String(timers), startedEventId });
        return undefined;
      },
    },
    order,
  );
  history.add('WORKFLOW_EXECUTION_COMPLETED', {
    result: payloads(end),
    workflowTaskCompletedEventId: history.task(),
  });
  return { history, end };
}

const orders = checkPayouts(
  Array.from({ length: 8 }, (_, place) => ({
    id: `P${place}`,
    payer: service.payers[0] ?? '',
    recipients: [{ userId: place === 7 ? 'nobody' : service.payee, amount: `${place + 1}.25` }],
    currency: 'usdc',
    chain: 'POLYGON',
  })),
);
const paid = await Promise.all(orders.map((order, place) => pay(order, place % 2 === 0)));
const workflowBundle = await bundleWorkflowCode({
  workflowsPath: fileURLToPath(new URL('./workflow.ts', import.meta.url)),
  logger,
});
for (const [place, { history, end }] of paid.entries()) {
  await Worker.runReplayHistory({ workflowBundle }, { events: history.events }, orders[place]?.id);
  const states = end.parts.map(({ state, reason }) => `${state} ${reason ?? ''}`).join(', ');
  console.log(`${orders[place]?.id}: ${history.events.length} events replayed in the sandbox, ${states}`);
}
service.close();
process.exit();
