import assert from 'node:assert/strict';
import { test } from 'node:test';
import { postgresDedupe } from '../src/dedupe.ts';
import { pay } from '../src/pay.ts';
import { PAYOUTS } from '../src/queue.ts';
import { summarize, tableOf } from '../src/report/summary.ts';
import { listForReview, settleByHand, tryAgain } from '../src/review.ts';
import { sweep } from '../src/sweep.ts';
import {
  decision,
  deliverer,
  enqueueFor,
  key,
  MONTH,
  neverAborted,
  rowsOf,
  service,
  withFleet,
} from './support.ts';

const limit = { timeout: 60_000 };

test(
  'an approval that was pending until its time has expired; one that vanished before it is for a person',
  limit,
  withFleet(async (fleet) => {
    const { db, boss } = fleet;
    const { emulator, payer, payee } = service(db);
    await enqueueFor(fleet, payee, [{ needsApproval: true }, { needsApproval: true }]);
    await pay(payer, key('E1'), neverAborted);
    await pay(payer, key('E2'), neverAborted);
    const look = async () => {
      await sweep(payer, boss, emulator.clock.now());
      return (await rowsOf(db)).map(({ state, reason }) => [state, reason]);
    };
    const waiting = ['awaiting_approval', null];
    assert.deepEqual(await look(), [waiting, waiting]);
    // E2 is approved, and its event is lost.
    const [, second] = emulator.state().approvals;
    emulator.approve(second?.id ?? '');
    assert.deepEqual(await look(), [waiting, waiting]);
    emulator.clock.advance('11m');
    const lost = ['unknown', 'DECISION_NOT_HEARD'];
    assert.deepEqual(await look(), [waiting, lost]);
    emulator.clock.advance('6d');
    emulator.clock.advance('23h');
    emulator.clock.advance('20m');
    assert.deepEqual(await look(), [waiting, lost]);
    emulator.clock.advance('40m');
    assert.deepEqual(await look(), [waiting, lost]);
    emulator.clock.advance('11m');
    assert.deepEqual(await look(), [['expired', 'APPROVAL_EXPIRED'], lost]);
    // An event that comes after all is stronger than what was concluded from silence.
    const [, row] = await rowsOf(db);
    await deliverer(db)(decision('APPROVED', row?.transfer_id ?? '', 'evt-late'));
    assert.equal((await rowsOf(db))[1]?.state, 'paid');
  }),
);

test(
  'a sweep that had not looked for days does not call an approval expired',
  limit,
  withFleet(async (fleet) => {
    const { emulator, payer, payee } = service(fleet.db);
    await enqueueFor(fleet, payee, [{ needsApproval: true }]);
    await pay(payer, key('E1'), neverAborted);
    await sweep(payer, fleet.boss, emulator.clock.now());
    await sweep(payer, fleet.boss, emulator.clock.advance('8d'));
    await sweep(payer, fleet.boss, emulator.clock.advance('11m'));
    const [row] = await rowsOf(fleet.db);
    assert.deepEqual([row?.state, row?.reason], ['unknown', 'DECISION_NOT_HEARD']);
  }),
);

test(
  'a payout whose job is gone gets another one',
  limit,
  withFleet(async (fleet) => {
    const { db, boss } = fleet;
    const { payer, payee } = service(db);
    await enqueueFor(fleet, payee, [{}]);
    const [job] = await boss.findJobs(PAYOUTS);
    const aged = () => db.query(`update payout set created_at = now() - interval '2 hours'`);
    await aged();
    await sweep(payer, boss, new Date());
    assert.equal((await boss.findJobs(PAYOUTS)).length, 1);
    await boss.deleteJob(PAYOUTS, job?.id ?? '');
    await sweep(payer, boss, new Date());
    assert.deepEqual(
      (await boss.findJobs(PAYOUTS)).map(({ data }) => data),
      [{ month: MONTH, employee: 'E1' }],
    );
  }),
);

test(
  'of two claims of an event at the same time one wins; a claim of a dead process lapses',
  limit,
  withFleet(async ({ db }) => {
    const store = postgresDedupe(db);
    const claims = await Promise.all(['a', 'b', 'c'].map((owner) => store.claim('evt', owner)));
    assert.deepEqual(claims.sort(), ['claimed', 'in-progress', 'in-progress']);
    await db.query(`update webhook_event set lapses_at = now() - interval '1 second'`);
    assert.equal(await store.claim('evt', 'd'), 'claimed');
    // The late one must not take away what is another's by now.
    await store.release('evt', 'a');
    assert.equal(await store.claim('evt', 'e'), 'in-progress');
    await store.release('evt', 'd');
    assert.equal(await store.claim('evt', 'f'), 'claimed');
    await store.commit('evt', 'f');
    await store.release('evt', 'f');
    assert.equal(await store.claim('evt', 'g'), 'committed');
  }),
);

test(
  'a person lists, settles and gives back what ended as unknown',
  limit,
  withFleet(async (fleet) => {
    const { db, boss } = fleet;
    const { emulator, payer, payee } = service(db, 'refuse');
    await enqueueFor(fleet, payee, [{}, {}]);
    for (const employee of ['E1', 'E2']) {
      emulator.faults.inject({ operation: 'transfers.create', kind: 'reset-after-commit' });
      await assert.rejects(pay(payer, key(employee), neverAborted));
      await pay(payer, key(employee), neverAborted);
    }
    const [first, second] = await listForReview(db, MONTH);
    assert.deepEqual([first?.employee, second?.employee], ['E1', 'E2']);
    const transferId = emulator.state().transfers[0]?.id ?? '';
    assert.equal(await settleByHand(db, first?.request_id ?? '', { state: 'paid', transferId }), 1);
    assert.equal(await settleByHand(db, first?.request_id ?? '', { state: 'rejected' }), 0);
    const before = (await boss.findJobs(PAYOUTS)).length;
    assert.equal(await tryAgain(db, boss, second?.request_id ?? ''), 1);
    assert.equal((await boss.findJobs(PAYOUTS)).length, before + 1);
    // Under the same id the service refuses it again: nothing is paid twice.
    await pay(payer, key('E2'), neverAborted);
    assert.equal(emulator.state().transfers.length, 2);
    assert.deepEqual(
      (await rowsOf(db)).map(({ state }) => state),
      ['paid', 'unknown'],
    );
    const table = tableOf(await summarize(db, MONTH));
    assert.match(table, /paid +1 +10\.000000/);
    assert.match(table, /unknown: REQUEST_ALREADY_EXISTS × 1/);
  }),
);
