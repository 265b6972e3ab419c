import { requestIdFrom } from 'stablecoin-payments';
import { transferOf } from '../../fixtures/params.ts';
import { type Case, equal, failsWith, given, holds, timeOf } from './check.ts';
import type { Scene } from './scene.ts';

/** A transfer that waits for approval, and the approval's id. */
async function pendingApproval(scene: Scene): Promise<string> {
  const userId = await scene.createUser({ rails: ['usd'] });
  await scene.client().transfers.create({ ...transferOf(userId), requireApproval: true });
  const approval = (await scene.state()).approvals.find(({ status }) => status === 'PENDING');
  return given(approval, 'the approval').id;
}

/** What is repeated, and that nothing is paid twice. */
export const retries: readonly Case<Scene>[] = [
  {
    title: 'repeats what the service turned away, after the wait that it asked for',
    run: async (scene) => {
      const userId = await scene.createUser();
      await scene.inject({ operation: 'kyc.retrieve', kind: 'status', status: 503, retryAfter: 1 });
      let attempts = 0;
      const took = await timeOf(async () => {
        ({ attempts } = await scene.client().kyc.retrieve(userId).withResponse());
      });
      equal(attempts, 2, 'attempts');
      holds(took >= 990, `waited ${took} ms`);
    },
  },
  {
    title: 'sends a create again with the same id after a reset, a cut body and a 500, and pays once',
    run: async (scene) => {
      const userId = await scene.createUser({ rails: ['usd'] });
      const { transfers } = scene.client();
      const lost = [
        { kind: 'reset-before-commit' },
        { kind: 'reset-after-commit' },
        { kind: 'cut-body' },
        { kind: 'status', status: 500, commit: true },
      ] as const;
      for (const [index, fault] of lost.entries()) {
        const requestId = requestIdFrom('conformance', fault.kind);
        await scene.inject({ operation: 'transfers.create', ...fault });
        const { data, attempts } = await transfers
          .create({ ...transferOf(userId), requestId })
          .withResponse();
        equal(data.transferDetails.requestId, requestId, `${fault.kind}: the id`);
        holds(attempts <= 2, `${fault.kind}: ${attempts} attempts`);
        equal((await scene.state()).transfers.length, index + 1, `${fault.kind}: transfers`);
      }
    },
  },
  {
    title: 'never repeats a decision that may have been taken, and says that it does not know',
    run: async (scene) => {
      const id = await pendingApproval(scene);
      await scene.inject({ operation: 'approvals.approve', kind: 'status', status: 502, commit: true });
      await failsWith(scene.client().approvals.approve(id), 'InternalServerError', 'unknown');
      equal(await scene.arrivals('approvals.approve'), 1, 'requests');
      await scene.inject({ operation: 'approvals.reject', kind: 'cut-body' });
      const other = await pendingApproval(scene);
      await failsWith(scene.client().approvals.reject(other), 'ConnectionError', 'unknown');
      equal(await scene.arrivals('approvals.reject'), 1, 'requests');
    },
  },
  {
    title: 'reports a reset as it is, once: with no retries one request arrives',
    run: async (scene) => {
      const before = await scene.troubles('reset');
      await failsWith(
        scene.troubled('reset', { retries: 0 }).approvals.approve('a'),
        'ConnectionError',
        'unknown',
      );
      await failsWith(
        scene.troubled('hang-up', { retries: 0 }).approvals.approve('a'),
        'ConnectionError',
        'unknown',
      );
      const arrived = [(await scene.troubles('reset')) - before, await scene.troubles('hang-up')];
      if (!scene.at.repeatsByItself) equal(arrived, [1, 1], 'requests that arrived');
    },
  },
  {
    title:
      'says that it does not know when a kept connection breaks under a decision, and does not repeat it',
    run: async (scene) => {
      const payments = scene.troubled('reset-second', { retries: 0 });
      await payments.kyc.retrieve('u');
      await failsWith(payments.approvals.approve('a'), 'ConnectionError', 'unknown');
      const arrived = await scene.troubles('reset-second');
      if (!scene.at.repeatsByItself) equal(arrived, 2, 'requests that arrived');
    },
  },
  {
    title: 'says of a refused connection what the platform lets it know, and repeats it',
    run: async (scene) => {
      const outcome = scene.at.knowsRefusals ? 'not-sent' : 'unknown';
      const call = scene.unreachable({ retries: 1 }).transfers.create(transferOf('u'));
      const error = await failsWith(call, 'ConnectionError', outcome);
      equal(error.attempts, 2, 'attempts');
      equal(error.requestId, call.requestId, 'the id');
    },
  },
  {
    title: 'goes on after the service closed a kept connection',
    run: async (scene) => {
      const { kyc } = scene.troubled('closes', { retries: 1 });
      for (let round = 0; round < 3; round += 1) equal((await kyc.retrieve('u')).userId, 'u', 'the answer');
    },
  },
];
