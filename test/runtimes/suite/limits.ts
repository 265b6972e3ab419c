import { AbortedError, TimeoutError } from 'stablecoin-payments';
import { transferOf } from '../../fixtures/params.ts';
import { type Case, equal, failsWith, holds, timeOf } from './check.ts';
import type { Scene } from './scene.ts';

/** How late a limit may strike on a busy machine. */
const grace = 1_500;

/** Limits end a call on time, whatever the other side does. */
export const limits: readonly Case<Scene>[] = [
  ...(['stall-headers', 'stall-body'] as const).map((kind) => ({
    title: `ends an attempt at its timeout on ${kind}, and repeats a read`,
    run: async (scene: Scene) => {
      const userId = await scene.createUser();
      await scene.inject({ operation: 'kyc.retrieve', kind });
      const call = scene.client({ timeout: 400 }).kyc.retrieve(userId).withResponse();
      equal((await call).attempts, 2, 'attempts');
    },
  })),
  ...(['stall-headers', 'stall-body'] as const).map((kind) => ({
    title: `ends a call at its deadline on ${kind}`,
    run: async (scene: Scene) => {
      const userId = await scene.createUser({ rails: ['usd'] });
      await scene.inject({ operation: 'transfers.create', kind });
      const took = await timeOf(async () => {
        const call = scene.client({ deadline: 400 }).transfers.create(transferOf(userId));
        const error = await failsWith(call, 'TimeoutError', 'unknown');
        holds(error instanceof TimeoutError && error.limit === 'deadline', 'the limit');
      });
      holds(took >= 390 && took < 400 + grace, `took ${took} ms`);
    },
  })),
  {
    title: 'ends a body that trickles without end',
    run: async (scene) => {
      const took = await timeOf(() =>
        failsWith(
          scene.troubled('trickle', { timeout: 400, retries: 0 }).kyc.retrieve('u'),
          'TimeoutError',
          // A read has come to its last attempt, and a 503 is `unknown`.
          'unknown',
        ),
      );
      holds(took < 400 + grace, `took ${took} ms`);
    },
  },
  ...(['stall-headers', 'stall-body'] as const).map((kind) => ({
    title: `ends at the caller's signal on ${kind}, with the caller's reason`,
    run: async (scene: Scene) => {
      const userId = await scene.createUser();
      await scene.inject({ operation: 'kyc.retrieve', kind });
      const reason = new Error('the user left');
      const controller = new AbortController();
      setTimeout(() => controller.abort(reason), 200);
      const took = await timeOf(async () => {
        const call = scene.client().kyc.retrieve(userId, { signal: controller.signal });
        const error = await failsWith(call, 'AbortedError', 'unknown');
        holds(error instanceof AbortedError && error.originalError === reason, 'the reason');
      });
      holds(took < 200 + grace, `took ${took} ms`);
    },
  })),
  {
    title: 'ends at the signal while it waits for a retry',
    run: async (scene) => {
      await scene.inject({ operation: 'kyc.retrieve', kind: 'status', status: 503, retryAfter: 30 });
      const took = await timeOf(() =>
        failsWith(
          scene.client().kyc.retrieve('u', { signal: AbortSignal.timeout(300) }),
          'AbortedError',
          'unknown',
        ),
      );
      holds(took < 300 + grace, `took ${took} ms`);
    },
  },
  {
    title: 'carries twenty calls at once, while others time out beside them',
    run: async (scene) => {
      const userId = await scene.createUser();
      await scene.inject({ operation: 'approvals.list', kind: 'stall-headers', times: 3 });
      const { approvals, kyc } = scene.client({ timeout: 500, retries: 0 });
      const stuck = [1, 2, 3].map(() => failsWith(approvals.list(), 'TimeoutError', 'unknown'));
      await new Promise((resolve) => setTimeout(resolve, 50));
      const patient = scene.client();
      const answers = await Promise.all(Array.from({ length: 20 }, () => patient.kyc.retrieve(userId)));
      await Promise.all(stuck);
      equal(answers.length, 20, 'answers');
      equal((await kyc.retrieve(userId)).userId, userId, 'the client goes on');
    },
  },
];
