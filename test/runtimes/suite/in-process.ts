import { PaymentsClient, requestIdFrom } from 'stablecoin-payments';
import { createEmulator, type Emulator, type FaultSpec } from 'stablecoin-payments/emulator';
import { createWebhookReceiver, standardWebhooks } from 'stablecoin-payments/webhooks';
import { transferOf } from '../../fixtures/params.ts';
import { type Case, equal, failsWith, given } from './check.ts';

const clientOf = (emulator: Emulator, options: object = {}) =>
  new PaymentsClient({
    baseUrl: 'http://emulator.localhost',
    accessToken: 'any',
    fetch: emulator.fetch,
    dangerouslyAllowBrowser: true,
    ...options,
  });

/** What needs no network: the emulator as a `fetch`, and the helpers. */
export const inProcess: readonly Case<unknown>[] = [
  {
    title: 'runs the emulator in the process: a transfer, its approval, and a clock that is moved',
    run: async () => {
      const emulator = createEmulator({ seed: 'conformance' });
      const { userId } = emulator.createUser({ rails: ['usd'] });
      const { approvals, transfers } = clientOf(emulator);
      const made = await transfers.create({ ...transferOf(userId), requireApproval: true });
      equal(made.transferDetails.status, 'PENDING_APPROVAL', 'the status');
      emulator.clock.advance('8d');
      equal((await approvals.list().toArray()).length, 0, 'approvals after a week');
    },
  },
  {
    title: 'makes the same ids and the same bytes of the same seed',
    run: async () => {
      const play = async () => {
        const emulator = createEmulator({ seed: 7 });
        const { userId } = emulator.createUser({ rails: ['usd'] });
        const requestId = requestIdFrom('same', 'seed');
        await clientOf(emulator).transfers.create({ ...transferOf(userId), requestId });
        return emulator.state();
      };
      equal(await play(), await play(), 'the state');
    },
  },
  {
    title: 'plays faults without a network: resets, stalls and cut bodies',
    run: async () => {
      const emulator = createEmulator({ seed: 1 });
      const { userId } = emulator.createUser();
      const { kyc } = clientOf(emulator, { retries: 0, timeout: 300 });
      const ends: readonly (readonly [FaultSpec['kind'], string])[] = [
        ['reset-before-commit', 'ConnectionError'],
        ['stall-headers', 'TimeoutError'],
        ['stall-body', 'TimeoutError'],
        ['cut-body', 'ConnectionError'],
      ];
      for (const [kind, name] of ends) {
        emulator.faults.inject({ kind });
        await failsWith(kyc.retrieve(userId), name, 'unknown');
      }
    },
  },
  {
    title: 'delivers signed events from the emulator to a receiver',
    run: async () => {
      const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
      const received: string[] = [];
      const handle = createWebhookReceiver({ verifier: standardWebhooks({ secret }) }).handler({
        'TRANSFER.APPROVAL.PENDING': ({ data }) => void received.push(data.transferId),
      });
      const emulator = createEmulator({
        webhook: {
          url: 'http://localhost/webhooks',
          secret,
          fetch: (url, init) => handle(new Request(url, init)),
        },
      });
      const { userId } = emulator.createUser({ rails: ['usd'] });
      const made = await clientOf(emulator).transfers.create({
        ...transferOf(userId),
        requireApproval: true,
      });
      await emulator.delivered();
      emulator.close();
      equal(received, [given(made.transferDetails.id, 'the id')], 'the events');
    },
  },
  {
    title: 'derives the same request id on every platform',
    run: async () => {
      equal(
        [requestIdFrom('payroll', '2026-11', 42), requestIdFrom('Zürich', '東京 🦓')],
        ['590ef154-d350-5da3-b121-9fbc3c284d5d', '702df6c9-edbc-5543-b798-ccd913e38179'],
        'the ids',
      );
    },
  },
];
