import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pay } from '../src/pay.ts';
import { PAYOUTS } from '../src/queue.ts';
import { startWorker } from '../src/worker.ts';
import { decision, deliverer, enqueueFor, key, neverAborted, rowsOf, service, withFleet } from './support.ts';

const limit = { timeout: 60_000 };

test(
  'rows and jobs are there together or not at all',
  limit,
  withFleet(async (fleet) => {
    const jobs = () => fleet.boss.findJobs(PAYOUTS);
    await assert.rejects(enqueueFor(fleet, 'payee', [{}, { amount: '-1' }]), /check constraint/);
    assert.deepEqual([await rowsOf(fleet.db), await jobs()], [[], []]);
    // Rows and jobs are written in chunks of a thousand: those before a failure go back as well.
    const many = Array.from({ length: 1001 }, (_, place) => (place === 1000 ? { amount: '-1' } : {}));
    await assert.rejects(enqueueFor(fleet, 'payee', many), /check constraint/);
    assert.deepEqual([await rowsOf(fleet.db), await jobs()], [[], []]);
    // The jobs are written after the rows: a failure there takes the rows back.
    const { boss, db } = fleet;
    const broken = Object.assign(Object.create(boss), { insert: () => Promise.reject(new Error('no jobs')) });
    await assert.rejects(enqueueFor({ ...fleet, boss: broken }, 'payee', [{}]), /no jobs/);
    assert.deepEqual(await rowsOf(db), []);
    assert.equal(await enqueueFor(fleet, 'payee', [{}, {}]), 2);
    assert.equal((await jobs()).length, 2);
  }),
);

test(
  'a payroll that is enqueued again adds who is new, and no batch changes',
  limit,
  withFleet(async (fleet) => {
    assert.equal(await enqueueFor(fleet, 'payee', [{}, {}, {}], 2), 3);
    assert.equal(await enqueueFor(fleet, 'payee', [{}, {}, {}, {}, {}], 2), 2);
    const rows = await rowsOf(fleet.db);
    assert.deepEqual(
      rows.map(({ batch }) => batch),
      [1, 1, 2, 3, 3],
    );
    assert.equal((await fleet.boss.findJobs(PAYOUTS)).length, 3);
  }),
);

test(
  'a job that runs again after a worker died between payment and note is the same payment',
  limit,
  withFleet(async (fleet) => {
    const { db } = fleet;
    const { emulator, payer, payee, payerThrough } = service(db);
    await enqueueFor(fleet, payee, [{}]);
    // The first worker pays and never hears of it: to the row, that is a death in the middle of the call.
    const dying = payerThrough(async (url, init) => {
      await emulator.fetch(url, { ...init, signal: null });
      throw new TypeError('terminated');
    });
    await assert.rejects(pay(dying, key('E1'), neverAborted), /connection/);
    const [between] = await rowsOf(db);
    assert.equal(between?.in_doubt, true);
    await pay(payer, key('E1'), neverAborted);
    const [row] = await rowsOf(db);
    const { transfers } = emulator.state();
    assert.equal(transfers.length, 1);
    assert.deepEqual(
      [row?.state, row?.transfer_id, row?.attempts, row?.in_doubt],
      ['paid', transfers[0]?.id, 2, false],
    );
  }),
);

test(
  'two workers with the same job pay once',
  limit,
  withFleet(async (fleet) => {
    const { emulator, payer, payee } = service(fleet.db);
    await enqueueFor(fleet, payee, [{}]);
    await Promise.all([1, 2, 3].map(() => pay(payer, key('E1'), neverAborted)));
    assert.equal(emulator.state().transfers.length, 1);
    assert.equal((await rowsOf(fleet.db))[0]?.state, 'paid');
  }),
);

test(
  'where the service refuses duplicates, a payment whose answer was lost is for a person, and is there once',
  limit,
  withFleet(async (fleet) => {
    const { emulator, payer, payee } = service(fleet.db, 'refuse');
    await enqueueFor(fleet, payee, [{}]);
    emulator.faults.inject({ operation: 'transfers.create', kind: 'reset-after-commit' });
    await assert.rejects(pay(payer, key('E1'), neverAborted), /connection/);
    await pay(payer, key('E1'), neverAborted);
    const [row] = await rowsOf(fleet.db);
    assert.deepEqual([row?.state, row?.reason], ['unknown', 'REQUEST_ALREADY_EXISTS']);
    assert.equal(emulator.state().transfers.length, 1);
  }),
);

test(
  'a refusal ends the row, but not after an attempt that may have been carried out',
  limit,
  withFleet(async (fleet) => {
    const { emulator, payer } = service(fleet.db);
    await enqueueFor(fleet, 'nobody', [{}, {}]);
    await pay(payer, key('E1'), neverAborted);
    emulator.faults.inject({ operation: 'transfers.create', kind: 'reset-before-commit' });
    await assert.rejects(pay(payer, key('E2'), neverAborted), /connection/);
    await pay(payer, key('E2'), neverAborted);
    const rows = await rowsOf(fleet.db);
    assert.deepEqual(
      rows.map(({ state, reason }) => [state, reason]),
      [
        ['rejected', 'USER_NOT_FOUND'],
        ['unknown', 'REFUSED_AFTER_LOST_ANSWER USER_NOT_FOUND'],
      ],
    );
  }),
);

test(
  'a 429 that one worker gets holds all of them for as long as the service asks',
  limit,
  withFleet(async (fleet) => {
    const { emulator, payee, payerThrough } = service(fleet.db);
    await enqueueFor(fleet, payee, [{}, {}, {}]);
    const asked: [string, number][] = [];
    const worker = (name: string) =>
      payerThrough((url, init) => {
        asked.push([name, performance.now()]);
        return emulator.fetch(url, init);
      });
    emulator.faults.inject({ operation: 'transfers.create', kind: 'status', status: 429, retryAfter: 1 });
    const first = pay(worker('first'), key('E1'), neverAborted);
    while (emulator.requests().length === 0) await new Promise(setImmediate);
    const { rows } = await untilPaused(fleet.db);
    assert.deepEqual(rows, [{ pause_reason: 'TOO_MANY_REQUESTS' }]);
    await Promise.all([
      first,
      pay(worker('second'), key('E2'), neverAborted),
      pay(worker('third'), key('E3'), neverAborted),
    ]);
    const [[, refused] = ['', 0], ...later] = asked;
    assert.deepEqual(later.map(([name]) => name).sort(), ['first', 'second', 'third']);
    for (const [name, at] of later) assert.ok(at - refused >= 950, `${name} waited ${at - refused} ms`);
    assert.ok((await rowsOf(fleet.db)).every(({ state }) => state === 'paid'));
  }),
);

async function untilPaused(db: Parameters<typeof rowsOf>[0]) {
  for (;;) {
    const found = await db.query('select pause_reason from fleet where paused_until > clock_timestamp()');
    if (found.rows.length > 0) return found;
  }
}

test(
  'a batch is one transfer, asked for in the same words each time, and its rows end together',
  limit,
  withFleet(async (fleet) => {
    const { emulator, payer, payee } = service(fleet.db);
    await enqueueFor(
      fleet,
      payee,
      [{ amount: '1.000001' }, { amount: '2' }, { amount: '3', needsApproval: true }],
      50,
    );
    emulator.faults.inject({ operation: 'transfers.createBatch', kind: 'reset-after-commit' });
    const batch = (number: number) => ({ month: '2026-11', batch: number });
    await assert.rejects(pay(payer, batch(1), neverAborted), /connection/);
    await pay(payer, batch(1), neverAborted);
    await pay(payer, batch(2), neverAborted);
    const rows = await rowsOf(fleet.db);
    assert.deepEqual(
      rows.map(({ state }) => state),
      ['paid', 'paid', 'awaiting_approval'],
    );
    assert.deepEqual(
      emulator.state().transfers.map(({ transferDetails }) => transferDetails.amount),
      [3.000001, 3],
    );
  }),
);

test(
  'a payout whose job is given up by the queue is for a person',
  limit,
  withFleet(async (fleet) => {
    const { emulator, payer, payee } = service(fleet.db);
    await enqueueFor(fleet, payee, [{}]);
    emulator.faults.inject({ operation: 'transfers.create', kind: 'status', status: 502, times: 100 });
    await startWorker(fleet.boss, payer);
    const row = await untilSettled(fleet.db);
    assert.deepEqual([row.state, row.reason, row.in_doubt], ['unknown', 'RETRIES_USED_UP', true]);
  }),
);

async function untilSettled(db: Parameters<typeof rowsOf>[0]) {
  for (;;) {
    const [row] = await rowsOf(db);
    if (row !== undefined && row.state !== 'queued') return row;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

test(
  'a decision counts whether it comes before or after the worker noted the transfer, and however often',
  limit,
  withFleet(async (fleet) => {
    const { db } = fleet;
    const { emulator, payer, payee, payerThrough } = service(db);
    await enqueueFor(fleet, payee, [{ needsApproval: true }, { needsApproval: true }]);
    const deliver = deliverer(db);
    const decided = payerThrough(async (url, init) => {
      const response = await emulator.fetch(url, init);
      const [transfer] = emulator.state().transfers;
      const event = decision('APPROVED', transfer?.id ?? '', 'evt-1');
      // The event overtakes the answer, and comes twice at once.
      const answers = await Promise.all([deliver(event), deliver(event)]);
      assert.ok(answers.includes(200));
      return response;
    });
    await pay(decided, key('E1'), neverAborted);
    await pay(payer, key('E2'), neverAborted);
    const [first, second] = await rowsOf(db);
    assert.equal(first?.state, 'paid');
    assert.equal(second?.state, 'awaiting_approval');
    const transferId = second?.transfer_id ?? '';
    assert.equal(await deliver(decision('REJECTED', transferId, 'evt-2')), 200);
    // The news that it is pending comes last, and changes nothing.
    assert.equal(await deliver(decision('PENDING', transferId, 'evt-3')), 200);
    assert.equal((await rowsOf(db))[1]?.state, 'rejected');
    // The same once more, as a new event: nothing new. The opposite: nothing that a program may decide.
    await deliver(decision('REJECTED', transferId, 'evt-4'));
    assert.equal((await rowsOf(db))[1]?.state, 'rejected');
    await deliver(decision('APPROVED', transferId, 'evt-5'));
    const [, last] = await rowsOf(db);
    assert.deepEqual([last?.state, last?.reason], ['unknown', 'CONTRADICTORY_DECISIONS']);
  }),
);
