import {
  accountIdOf,
  type PaymentsClient,
  type RequestOptions,
  requestIdFrom,
  type WithResponse,
} from 'stablecoin-payments';
import type { Emulator, OperationName } from 'stablecoin-payments/emulator';
import { clientOf } from '../client/support.ts';
import { transferOf, ugandanAccount } from '../fixtures/params.ts';

/** What a repeat of an operation could do, which is what the table of expectations is sorted by. */
type RetryClass = 'read' | 'delete' | 'keyed' | 'refresh' | 'once';

/** One call that is ready to be made, and a way to ask the emulator how often it was carried out. */
export interface ReadyCall {
  send(payments: PaymentsClient, options: RequestOptions): { withResponse(): Promise<WithResponse<unknown>> };
  /** Taken from the emulator's own state, never from a response. */
  timesDone(): number;
}

export interface OperationUnderTest {
  name: OperationName;
  retryClass: RetryClass;
  prepare(emulator: Emulator): Promise<ReadyCall> | ReadyCall;
}

const requestId = requestIdFrom('fault-matrix', 1);

/** Reads change nothing; should one ever do so, this counts it as done. */
function read(
  name: OperationName,
  make: (emulator: Emulator) => Promise<ReadyCall['send']> | ReadyCall['send'],
): OperationUnderTest {
  return {
    name,
    retryClass: 'read',
    prepare: async (emulator) => {
      const send = await make(emulator);
      const before = recordsOf(emulator);
      return { send, timesDone: () => (recordsOf(emulator) === before ? 0 : 1) };
    },
  };
}

function keyed(
  name: OperationName,
  records: 'onramps' | 'transfers',
  send: (payments: PaymentsClient, userId: string, options: RequestOptions) => ReturnType<ReadyCall['send']>,
): OperationUnderTest {
  return {
    name,
    retryClass: 'keyed',
    prepare: (emulator) => {
      const { userId } = emulator.createUser({ rails: ['usd'] });
      return {
        send: (payments, options) => send(payments, userId, options),
        timesDone: () => emulator.state()[records].length,
      };
    },
  };
}

function decision(name: 'approvals.approve' | 'approvals.reject', decided: string): OperationUnderTest {
  return {
    name,
    retryClass: 'once',
    prepare: async (emulator) => {
      const id = await pendingApproval(emulator);
      return {
        send: ({ approvals }, options) =>
          name === 'approvals.approve'
            ? approvals.approve(id, {}, options)
            : approvals.reject(id, {}, options),
        timesDone: () =>
          emulator.state().approvals.flatMap(({ votes }) => votes.filter((vote) => vote.decision === decided))
            .length,
      };
    },
  };
}

/** Every operation of the service. */
export const operations: readonly OperationUnderTest[] = [
  keyed('onramps.create', 'onramps', (payments, userId, options) =>
    payments.onramps.create(
      {
        requestId,
        source: { userId, currency: 'usd', amount: 100, transferType: 'ach' },
        destination: { userId, currency: 'usdc', chain: 'POLYGON' },
      },
      options,
    ),
  ),
  {
    name: 'onramps.refreshQuote',
    retryClass: 'refresh',
    prepare: async (emulator) => {
      const id = await openQuote(emulator);
      const quote = () => JSON.stringify(emulator.state().onramps[0]?.transferDetails.quoteInformation);
      const before = quote();
      // However often it was refreshed, one quote stands.
      return {
        send: (payments, options) => payments.onramps.refreshQuote(id, options),
        timesDone: () => (quote() === before ? 0 : 1),
      };
    },
  },
  {
    name: 'accounts.create',
    retryClass: 'once',
    prepare: (emulator) => {
      const { userId } = emulator.createUser({ rails: ['africa'] });
      return {
        send: (payments, options) => payments.accounts.create(userId, ugandanAccount, options),
        timesDone: () => emulator.state().accounts.length,
      };
    },
  },
  read('accounts.list', async (emulator) => {
    const { userId } = await activeAccount(emulator);
    return (payments, options) => payments.accounts.list(userId, { rail: 'onramp' }, options);
  }),
  read('accounts.retrieve', async (emulator) => {
    const { userId, id } = await activeAccount(emulator);
    return (payments, options) => payments.accounts.retrieve(userId, id, options);
  }),
  {
    name: 'accounts.delete',
    retryClass: 'delete',
    prepare: async (emulator) => {
      const { userId, id } = await activeAccount(emulator);
      return {
        send: (payments, options) => payments.accounts.delete(userId, id, options),
        timesDone: () => 1 - emulator.state().accounts.length,
      };
    },
  },
  keyed('transfers.create', 'transfers', (payments, userId, options) =>
    payments.transfers.create({ requestId, ...transferOf(userId) }, options),
  ),
  keyed('transfers.createBatch', 'transfers', (payments, userId, options) =>
    payments.transfers.createBatch(
      {
        requestId,
        source: { userId },
        destination: {
          batch: [
            { userId, amount: '1' },
            { userId, amount: '2' },
          ],
        },
        currency: 'usdc',
        chain: 'POLYGON',
      },
      options,
    ),
  ),
  keyed('bridges.create', 'transfers', (payments, userId, options) =>
    payments.bridges.create(
      {
        requestId,
        source: { userId, chain: 'POLYGON', currency: 'usdc' },
        destination: { userId, chain: 'BASE', currency: 'usdc' },
        amount: 50,
      },
      options,
    ),
  ),
  keyed('offramps.create', 'transfers', (payments, userId, options) =>
    payments.offramps.create(
      {
        requestId,
        source: { userId, currency: 'usdc', chain: 'POLYGON', amount: 80 },
        destination: { userId, currency: 'usd', accountId: 'a1' },
      },
      options,
    ),
  ),
  read('approvals.list', async (emulator) => {
    await pendingApproval(emulator);
    return (payments, options) => payments.approvals.list({}, options);
  }),
  decision('approvals.approve', 'APPROVED'),
  decision('approvals.reject', 'REJECTED'),
  read('reporting.retrieveResults', (emulator) => {
    const { id } = emulator.createMetric();
    return (payments, options) => payments.reporting.retrieveResults(id, options);
  }),
  read('kyc.retrieve', (emulator) => {
    const { userId } = emulator.createUser();
    return (payments, options) => payments.kyc.retrieve(userId, options);
  }),
  read('externalWallets.list', (emulator) => {
    const { userId } = emulator.createUser({ externalWallets: 2 });
    return (payments, options) => payments.externalWallets.list(userId, {}, options);
  }),
];

/** A client without a network, to set the scene with. */
const stagehand = (emulator: Emulator): PaymentsClient => clientOf(emulator.fetch);

async function activeAccount(emulator: Emulator): Promise<{ userId: string; id: string }> {
  const { userId } = emulator.createUser({ rails: ['africa'] });
  const id = accountIdOf(await stagehand(emulator).accounts.create(userId, ugandanAccount));
  emulator.validateAccount(id, { status: 'ACTIVE' });
  return { userId, id };
}

async function openQuote(emulator: Emulator): Promise<string> {
  const { userId, id: accountId } = await activeAccount(emulator);
  const { transferDetails } = await stagehand(emulator).onramps.create({
    purposeOfPayment: 'other',
    source: { userId, currency: 'ugx', amount: 500_000, accountId },
    destination: { userId, currency: 'usdc', chain: 'POLYGON' },
  });
  return transferDetails.id;
}

async function pendingApproval(emulator: Emulator): Promise<string> {
  const { userId } = emulator.createUser({ rails: ['usd'] });
  await stagehand(emulator).transfers.create({ ...transferOf(userId), requireApproval: true });
  const [approval] = emulator.state().approvals;
  if (approval === undefined) throw new Error('The transfer was expected to wait for approval');
  return approval.id;
}

function recordsOf(emulator: Emulator): string {
  const { now: _now, faults: _faults, ...records } = emulator.state();
  return JSON.stringify(records);
}
