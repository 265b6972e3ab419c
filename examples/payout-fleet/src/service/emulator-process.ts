import { startEmulatorServer } from 'stablecoin-payments/emulator/node';
import { disturb, disturbEvents } from './disturb.ts';

/** What the emulator's process is told, as JSON in its first argument. */
export interface EmulatorSettings {
  readonly webhookUrl: string;
  readonly webhookSecret: string;
  readonly duplicates: 'replay' | 'refuse';
  readonly faultRate: number;
  /** The kinds of faults; none means the usual mix. */
  readonly faultKinds: readonly string[];
  /** Milliseconds by which every answer is late, as over a real network. */
  readonly latency: number;
  readonly payees: number;
  /** What the payer holds at the start. */
  readonly balance: number;
  readonly payouts: number;
}

/** What it says of itself once it listens. */
export interface EmulatorReady {
  readonly url: string;
  readonly payer: string;
  readonly payees: readonly string[];
}

/** What it has seen so far. */
export interface EmulatorTally {
  /** Requests to create a transfer, repeats included. */
  readonly requests: number;
  readonly faults: Readonly<Record<string, number>>;
  readonly deliveries: number;
  readonly deliveriesGivenUp: number;
}

/** The service in a process of its own: a worker that is killed takes nothing of its ledger along. */
const settings: EmulatorSettings = JSON.parse(process.argv[2] ?? '{}');
const faults: Record<string, number> = {};
let calm = false;
const tally = { requests: 0, faults, deliveries: 0, deliveriesGivenUp: 0 };

const server = await startEmulatorServer({
  duplicates: settings.duplicates,
  // The emulator forgets its oldest records past this: a ledger that is to be read must hold all of them.
  historyLimit: Math.min(1_000_000, 10_000 + settings.payouts * 4),
  webhook: {
    url: settings.webhookUrl,
    secret: settings.webhookSecret,
    onAttempt: ({ outcome }) => {
      tally.deliveries += 1;
      if (outcome === 'given-up') tally.deliveriesGivenUp += 1;
    },
  },
  onRequest: ({ operation, fault }) => {
    if (operation === 'transfers.create' || operation === 'transfers.createBatch') tally.requests += 1;
    if (fault !== null) faults[fault] = (faults[fault] ?? 0) + 1;
    if (!calm && operation !== null) disturb(server.emulator, settings.faultRate, settings.faultKinds);
  },
});
const { emulator } = server;
const release = disturbEvents(emulator);
const payer = emulator.createUser({ rails: ['usd'] }).userId;
const payees = Array.from({ length: settings.payees }, () => emulator.createUser().userId);
emulator.setBalance({ userId: payer, currency: 'usdc', chain: 'POLYGON', amount: settings.balance });
if (settings.latency > 0) {
  emulator.faults.inject({ kind: 'latency', latency: settings.latency, times: 1_000_000 });
}
const ready: EmulatorReady = { url: server.url, payer, payees };
process.send?.(ready);

process.on('message', async (message) => {
  // From the first time on nothing goes wrong any more.
  if (message === 'deliver') {
    calm = true;
    emulator.faults.clear();
    release();
    await emulator.delivered();
    // What failed before waits for its retry; the receiver works now, so it need not wait.
    for (const { id, status } of emulator.deliveries.list()) {
      if (status !== 'delivered') emulator.deliveries.redeliver(id);
    }
    await emulator.delivered();
    process.send?.('delivered');
  } else if (message === 'tally') process.send?.(tally satisfies EmulatorTally);
});
process.once('disconnect', () => process.exit(0));
