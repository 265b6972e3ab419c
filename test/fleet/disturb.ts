import type { Emulator } from 'stablecoin-payments/emulator';
import { random } from './random.ts';

type Fault = Parameters<Emulator['faults']['inject']>[0];

/** What goes wrong, with its share. After a fault behind the commit the money has moved and the response is lost. */
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

/** Injects a fault into about this share of the calls; call it once for each request. */
export function disturb(emulator: Emulator, rate: number): void {
  if (random() >= rate || emulator.faults.list().length > 0) return;
  let place = random() * mix.reduce((sum, [share]) => sum + share, 0);
  for (const [share, fault] of mix) {
    place -= share;
    if (place < 0) {
      emulator.faults.inject({ ...fault, operation: '*' });
      return;
    }
  }
}
