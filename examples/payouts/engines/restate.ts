import * as restate from '@restatedev/restate-sdk';
import * as clients from '@restatedev/restate-sdk-clients';
import {
  type CheckedOrder,
  drivePayout,
  type PayoutMessage,
  type PayoutSituation,
} from 'stablecoin-payments/payouts';
import { makeStep } from './step.ts';

/**
 * Payouts on Restate: a server of its own (`npx restate-server`), which calls this process over HTTP.
 *
 * Gives: a journal for each payout; a payout that waits is suspended and costs nothing; it goes on in any process behind the
 * address; a page of what runs.
 * Lacks: your ledger in the same transaction, and a file that is accepted as a whole. An id is remembered for the retention.
 * The licence of the server is BSL 1.1.
 */
const step = makeStep();

interface Inbox {
  readonly messages: PayoutMessage[];
  readonly waiting?: string;
}

const YEAR = { days: 400 };

/** A message waits in the inbox of its payout, an object of its own: a run that waits is woken by an awakeable. */
const inbox = restate.object({
  name: 'PayoutInbox',
  handlers: {
    put: async (ctx: restate.ObjectContext, message: PayoutMessage) => {
      const { messages, waiting } = await read(ctx);
      ctx.set<Inbox>('inbox', { messages: [...messages, message] });
      if (waiting !== undefined) ctx.resolveAwakeable(waiting);
    },
    /** Takes a message, or notes who waits for one. */
    take: async (ctx: restate.ObjectContext, awakeable: string): Promise<PayoutMessage | null> => {
      const { messages } = await read(ctx);
      const [message, ...others] = messages;
      ctx.set<Inbox>(
        'inbox',
        message === undefined ? { messages, waiting: awakeable } : { messages: others },
      );
      return message ?? null;
    },
  },
});

const read = async (ctx: restate.ObjectContext): Promise<Inbox> =>
  (await ctx.get<Inbox>('inbox')) ?? { messages: [] };

const payout = restate.workflow({
  name: 'Payout',
  handlers: {
    run: (ctx: restate.WorkflowContext, order: CheckedOrder): Promise<PayoutSituation> =>
      drivePayout(
        {
          // A step that was cut off runs again: it does not know the token, and does not call.
          advance: async (situation, message) =>
            JSON.parse(await ctx.run('advance', async () => JSON.stringify(await step(situation, message)))),
          waitFor: async (milliseconds) => {
            const { id, promise } = ctx.awakeable();
            const mail = ctx.objectClient<typeof inbox>({ name: 'PayoutInbox' }, ctx.key);
            const message = await mail.take(id);
            if (message !== null) return message;
            await restate.RestatePromise.race([promise, ctx.sleep(milliseconds)]);
            return (await mail.take(id)) ?? undefined;
          },
        },
        order,
      ),
  },
  options: { workflowRetention: YEAR, inactivityTimeout: { minutes: 2 }, abortTimeout: { minutes: 2 } },
});

/** Serves the payouts to the server. Start any number of processes, and register their address with the server. */
export const startEngine = (port: number): Promise<number> =>
  restate.serve({ services: [payout, inbox], port });

const idOf = ({ payer, id }: CheckedOrder): string => `${payer}:${id}`;
const server = () => clients.connect({ url: process.env.RESTATE_URL ?? 'http://127.0.0.1:8080' });

/** Starts the payouts, one after the other. Again, it starts nothing. */
export async function enqueue(orders: readonly CheckedOrder[]): Promise<void> {
  for (const order of orders)
    await server().workflowClient<typeof payout>({ name: 'Payout' }, idOf(order)).workflowSubmit(order);
}

/** Tells a payout of an event, a decision or a person. A second message with the same id changes nothing. */
export async function tell(order: CheckedOrder, messageId: string, message: PayoutMessage): Promise<void> {
  const mail = server().objectSendClient<typeof inbox>({ name: 'PayoutInbox' }, idOf(order));
  await mail.put(message, clients.rpc.sendOpts({ idempotencyKey: messageId }));
}

/** Waits for the end of a payout. */
export const ended = (order: CheckedOrder): Promise<PayoutSituation> =>
  server().workflowClient<typeof payout>({ name: 'Payout' }, idOf(order)).workflowAttach();
