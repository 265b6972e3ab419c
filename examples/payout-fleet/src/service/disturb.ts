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

/** The mix without the kinds that were not named, and with those that it lacks. */
function mixOf(kinds: readonly string[]): typeof mix {
  if (kinds.length === 0) return mix;
  const isKind = (kind: string): kind is Fault['kind'] => kinds.includes(kind);
  const more = kinds.filter((kind) => !mix.some(([, fault]) => fault.kind === kind)).filter(isKind);
  return [
    ...mix.filter(([, fault]) => isKind(fault.kind)),
    ...more.map((kind) => [10, { kind, ...FIELDS[kind] }] as const),
  ];
}

/** What the kinds change that need a field. */
const FIELDS: Record<string, Partial<Fault>> = {
  'unknown-enum': { field: 'transferDetails.status' },
  'missing-field': { field: 'transferDetails.id' },
  'wrong-type': { field: 'transferDetails.id' },
};

/** Injects a fault into about this share of the calls; call it once per request. Without `kinds` it takes the mix. */
export function disturb(emulator: Emulator, rate: number, kinds: readonly string[] = []): void {
  if (Math.random() >= rate) return;
  // One that waits is enough: faults are to be spread over the run.
  if (emulator.faults.list().length > 0) return;
  const chosen = mixOf(kinds);
  const total = chosen.reduce((sum, [share]) => sum + share, 0);
  let place = Math.random() * total;
  for (const [share, fault] of chosen) {
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
