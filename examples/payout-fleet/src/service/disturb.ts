import type { Emulator } from 'stablecoin-payments/emulator';

type Fault = Parameters<Emulator['faults']['inject']>[0];

/** What goes wrong, with its share. A fault after the commit is the dangerous one: the money moved, the answer is lost. */
const mix: readonly (readonly [share: number, fault: Fault])[] = [
  [24, { kind: 'reset-after-commit' }],
  [12, { kind: 'reset-before-commit' }],
  [14, { kind: 'status', status: 500, commit: true }],
  [10, { kind: 'status', status: 502 }],
  [10, { kind: 'cut-body' }],
  [8, { kind: 'malformed-json' }],
  [8, { kind: 'latency', latency: 400 }],
  [5, { kind: 'stall-headers' }],
  [4, { kind: 'stall-body' }],
  [3, { kind: 'status', status: 429, retryAfter: 1 }],
  [2, { kind: 'status', status: 503, retryAfter: 1 }],
];

/** Injects a fault into about this share of the creates; call it once per request. */
export function disturb(emulator: Emulator, rate: number): void {
  if (Math.random() >= rate) return;
  // One that waits is enough: faults are to be spread over the run.
  if (emulator.faults.list().length > 0) return;
  const total = mix.reduce((sum, [share]) => sum + share, 0);
  let place = Math.random() * total;
  for (const [share, fault] of mix) {
    place -= share;
    if (place < 0) {
      emulator.faults.inject({ ...fault, operation: '*' });
      return;
    }
  }
}

/** Lets events go in bursts, shuffled, each of them twice. Returns the way to let the last ones go, in the same way. */
export function disturbEvents(emulator: Emulator, interval = 300): () => void {
  emulator.events.hold();
  const release = (): void => {
    emulator.events.release({ order: 'shuffled', copies: 2 });
    emulator.events.hold();
  };
  const timer = setInterval(release, interval);
  timer.unref();
  return release;
}

/** What becomes of an approval follows from its transfer's id: most are approved, some rejected, some forgotten. */
export function decisionOn(transferId: string): 'approve' | 'reject' | 'forget' {
  if (transferId.startsWith('0')) return 'forget';
  return transferId.startsWith('1') ? 'reject' : 'approve';
}
