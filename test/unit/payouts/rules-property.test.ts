import fc from 'fast-check';
import { newPayment } from 'stablecoin-payments/payouts';
import { expect, test } from 'vitest';
import type { Payment, Resolution } from '../../../src/payouts/rules/payment.ts';
import type { Finding } from '../../../src/payouts/rules/see-attempt.ts';
import { type AttemptRules, pausesFrom, seeAttempt } from '../../../src/payouts/rules/see-attempt.ts';
import { seeAbsence, seeReading } from '../../../src/payouts/rules/see-record.ts';
import { cases } from '../../cases.ts';

const rules: AttemptRules = { pauses: pausesFrom(), maxFailures: 4, random: 0 };

/** A call that a worker has begun. Its request may reach the service at any time, and its answer may come at any time. */
interface Call {
  readonly key: string;
  readonly number: number;
  arrived: boolean;
  finding: Finding | undefined;
  settled: boolean;
}

/** What passes: an empty balance, a payee who is frozen for a while. */
interface Weather {
  readonly hasBalance: boolean;
  readonly isFrozen: boolean;
}

/** A service with a ledger. It knows its keys; some payees do not exist, and some of its refusals stay with the key. */
class Service {
  readonly ledger = new Map<string, readonly string[]>();
  readonly refusedKeys = new Set<string>();
  readonly bad: ReadonlySet<string>;
  readonly duplicates: 'replay' | 'refuse';
  readonly remembersRefusals: boolean;

  constructor(bad: readonly string[], duplicates: 'replay' | 'refuse', remembersRefusals: boolean) {
    this.bad = new Set(bad);
    this.duplicates = duplicates;
    this.remembersRefusals = remembersRefusals;
  }

  request(key: string, payees: readonly string[], { hasBalance, isFrozen }: Weather): Finding {
    const known = { finding: 'known', reason: 'KNOWN' } as const;
    // A refusal may come before the service looks whether it has the key.
    if (isFrozen) return { finding: 'refused', reason: 'USER_FROZEN', about: 'payment' };
    if (this.ledger.has(key)) return this.duplicates === 'refuse' ? known : this.record(key);
    if (this.refusedKeys.has(key) && this.remembersRefusals) return known;
    const refusal = (reason: string, about: 'payer' | 'payment'): Finding => {
      this.refusedKeys.add(key);
      return { finding: 'refused', reason, about };
    };
    if (!hasBalance) return refusal('INSUFFICIENT_BALANCE', 'payer');
    if (payees.some((payee) => this.bad.has(payee))) return refusal('USER_NOT_FOUND', 'payment');
    this.ledger.set(key, payees);
    return this.record(key);
  }

  record(key: string): Finding {
    return { finding: 'made', reading: { transferId: `t-${key}`, state: 'paid' } };
  }
}

/** Payments as the store keeps them: locked one at a time, each attempt settled once. */
class Fleet {
  readonly payments = new Map<string, Payment>();
  readonly members = new Map<string, readonly string[]>();
  readonly calls: Call[] = [];
  readonly service: Service;

  constructor(service: Service, payees: readonly string[]) {
    this.service = service;
    this.add('1', payees);
  }

  add(key: string, payees: readonly string[]): void {
    this.members.set(key, payees);
    const { requestId, transferId, ...facts } = newPayment(key, payees.length);
    this.payments.set(key, { ...facts, request_id: requestId, transfer_id: transferId });
  }

  begin(key: string): void {
    const payment = this.payments.get(key);
    if (payment?.state !== 'queued') return;
    const attempts = payment.attempts + 1;
    this.payments.set(key, { ...payment, attempts, doubts: payment.doubts + 1 });
    this.calls.push({ key, number: attempts, arrived: false, finding: undefined, settled: false });
  }

  arrive(call: Call, weather: Weather): void {
    if (call.arrived) return;
    call.arrived = true;
    call.finding = this.service.request(call.key, this.members.get(call.key) ?? [], weather);
  }

  /** The worker is told the result, or loses it. What it reports again is not seen again. */
  settle(call: Call, lost: boolean): void {
    if (call.settled) return;
    call.settled = true;
    const open: Finding = { finding: 'open', reason: 'LOST', counts: true };
    const finding = lost || call.finding === undefined ? open : call.finding;
    const payment = this.payments.get(call.key);
    if (payment !== undefined) this.write(payment, seeAttempt(payment, call.number, finding, rules));
  }

  /** After a quiet time no request is on its way any more. */
  lookUp(key: string): void {
    if (this.calls.some((call) => call.key === key && !call.arrived)) return;
    const payment = this.payments.get(key);
    if (payment === undefined || payment.state === 'queued' || payment.state === 'replaced') return;
    if (!this.service.ledger.has(key)) {
      this.write(payment, seeAbsence(payment));
      return;
    }
    const reading = { transferId: `t-${key}`, state: 'paid' } as const;
    const change = seeReading(payment, reading, 'lookup') ?? {};
    this.write(payment, { action: 'change', change });
  }

  write(payment: Payment, resolution: Resolution): void {
    const { request_id: key } = payment;
    if (resolution.action === 'change') {
      const { notice: _notice, due_in: _due, ...change } = resolution.change;
      this.payments.set(key, { ...payment, ...change });
      return;
    }
    const payees = this.members.get(key) ?? [];
    this.payments.set(key, { ...payment, state: 'replaced' });
    if (resolution.action === 'rekey') this.add(`${key}'`, payees);
    else {
      const middle = Math.ceil(payees.length / 2);
      this.add(`${key}.1`, payees.slice(0, middle));
      this.add(`${key}.2`, payees.slice(middle));
    }
  }

  check(): void {
    const paid = [...this.service.ledger.values()].flat();
    expect(new Set(paid).size, 'nobody is paid twice').toBe(paid.length);
    for (const [key, { state }] of this.payments) {
      const entry = this.service.ledger.get(key);
      if (state === 'paid' || state === 'accepted') expect(entry, `${key} is ${state}`).toBeDefined();
      if (state === 'rejected' || state === 'replaced') expect(entry, `${key} is ${state}`).toBeUndefined();
    }
    for (const payee of this.members.get('1') ?? []) {
      const current = [...this.payments.values()].filter(
        ({ request_id, state }) =>
          state !== 'replaced' && (this.members.get(request_id) ?? []).includes(payee),
      );
      expect(current, `${payee} has one payment`).toHaveLength(1);
    }
  }
}

const step = fc.record({
  kind: fc.constantFrom('begin', 'begin', 'arrive', 'settle', 'settle', 'settle again', 'lose', 'look up'),
  which: fc.nat(20),
  weather: fc.record({ hasBalance: fc.boolean(), isFrozen: fc.boolean() }),
});

test('no sequence of results makes a payment paid without a ledger entry, or pays anybody twice', () => {
  const runs = fc.property(
    fc.integer({ min: 1, max: 6 }),
    fc.subarray(['p1', 'p3', 'p6']),
    fc.constantFrom('replay', 'refuse'),
    fc.boolean(),
    fc.array(step, { maxLength: 60 }),
    (size, bad, duplicates, remembersRefusals, steps) => {
      const payees = Array.from({ length: size }, (_, place) => `p${place + 1}`);
      const fleet = new Fleet(new Service(bad, duplicates, remembersRefusals), payees);
      for (const { kind, which, weather } of steps) {
        const keys = [...fleet.payments.keys()];
        const key = keys[which % keys.length] ?? '1';
        const call = fleet.calls[which % Math.max(1, fleet.calls.length)];
        if (kind === 'begin') fleet.begin(key);
        else if (kind === 'look up') fleet.lookUp(key);
        else if (call !== undefined && kind === 'arrive') fleet.arrive(call, weather);
        else if (call !== undefined) {
          // A result that is not lost has arrived; one that is lost may arrive later.
          if (kind !== 'lose') fleet.arrive(call, weather);
          fleet.settle(call, kind === 'lose');
        }
        fleet.check();
      }
      // In the end, everything arrives, and a lookup finds what there is.
      for (const call of fleet.calls) fleet.arrive(call, { hasBalance: true, isFrozen: false });
      for (const key of [...fleet.payments.keys()]) fleet.lookUp(key);
      fleet.check();
    },
  );
  fc.assert(runs, { seed: 26, numRuns: cases(750, 25_000) });
});
