import { createPayouts, type Database, type TransferLookup } from 'stablecoin-payments/payouts';
import { describe, expect, test } from 'vitest';
import { type Bench, bench, MONTH, refusal, responding, usingDatabase, watching } from './support.ts';

const db = usingDatabase();

/** A read of transfers by id or key, as services have one outside of the documented interface. */
function lookupIn(at: () => Bench): TransferLookup {
  return async ({ requestId, transferId }) => {
    const { transfers } = at().emulator.state();
    const found = transfers.find((one) =>
      transferId === undefined ? one.requestId === requestId : one.id === transferId,
    );
    return found ?? null;
  };
}

async function withLookup(options: Parameters<typeof bench>[1] = {}): Promise<Bench> {
  const made: Bench[] = [];
  const lookup = lookupIn(() => made[0] ?? fail());
  const at = await bench(db(), { lookup, ...options });
  made.push(at);
  return at;
}

const fail = (): never => {
  throw new Error('the bench is not there yet');
};

/** Seconds go by for every time that the sweep compares. */
const age = (seconds: number) =>
  db().query(
    `update payout_payment set missing_since = missing_since - make_interval(secs => $1),
       look_at = look_at - make_interval(secs => $1),
       last_attempt_at = last_attempt_at - make_interval(secs => $1),
       created_at = created_at - make_interval(secs => $1), due_at = due_at - make_interval(secs => $1)`,
    [seconds],
  );

describe('an approval whose event was lost', () => {
  async function granted(at: Bench) {
    await at.enqueue([{ needsApproval: true }, { needsApproval: true }]);
    await at.work();
    // Minutes before the deadline the first is granted; the second expires. No event arrives for either.
    at.emulator.clock.advance('6d');
    at.emulator.clock.advance('23h');
    await at.payouts.sweep();
    const [first] = at.emulator.state().approvals;
    at.emulator.approve(first?.id ?? '');
    at.emulator.clock.advance('2h');
  }

  test('is settled by a lookup, and by nothing else', async () => {
    const at = await withLookup();
    await granted(at);
    await at.payouts.sweep();
    expect(await at.rows()).toMatchObject([
      { state: 'paid', evidence: 'lookup', reason: null },
      { state: 'expired', evidence: 'lookup', reason: 'APPROVAL_EXPIRED' },
    ]);
    expect(at.ledger()).toEqual(['payee 10 COMPLETED', 'payee 10 CANCELLED']);
  });

  test('is undecided where there is no lookup: since when, and for whom', async () => {
    const at = await bench(db());
    await granted(at);
    await at.payouts.sweep();
    expect((await at.rows()).map(({ state }) => state)).toEqual(['awaiting_approval', 'awaiting_approval']);
    await age(599);
    await at.payouts.sweep();
    expect((await at.rows()).map(({ state }) => state)).toEqual(['awaiting_approval', 'awaiting_approval']);
    await age(2);
    await at.payouts.sweep();
    const review = await at.payouts.review(MONTH);
    expect(review).toMatchObject([
      { state: 'undecided', reason: 'DECISION_NOT_HEARD', for: 'approvers' },
      { state: 'undecided', reason: 'DECISION_NOT_HEARD', for: 'approvers' },
    ]);
    // The event may come after all.
    await at.payouts.noteDecision({
      id: 'late',
      transferId: review[0]?.transferId ?? '',
      decision: 'APPROVED',
    });
    expect((await at.rows())[0]).toMatchObject({ state: 'accepted', evidence: 'event' });
  });

  test('an approval that is still listed, or listed again, waits however long', async () => {
    const at = await bench(db());
    await at.enqueue([{ needsApproval: true }]);
    await at.work();
    for (let time = 0; time < 3; time += 1) {
      await age(1000);
      await at.payouts.sweep();
    }
    expect(await at.states()).toEqual([['awaiting_approval', null]]);
    await db().query(`update payout_payment set missing_since = now() - interval '599 seconds'`);
    await at.payouts.sweep();
    await age(599);
    await at.payouts.sweep();
    expect(await at.states()).toEqual([['awaiting_approval', null]]);
  });

  test('a transfer noted after the list was asked for is not missing from it', async () => {
    const at = await bench(db());
    await at.enqueue([{ needsApproval: true }]);
    await at.work();
    await db().query(
      `update payout_payment set last_attempt_at = now() + interval '1 minute', transfer_id = 'unlisted'`,
    );
    await at.payouts.sweep();
    expect((await db().query('select missing_since from payout_payment')).rows).toEqual([
      { missing_since: null },
    ]);
  });
});

describe('a lookup', () => {
  test('turns accepted into paid, and made into what it is', async () => {
    const at = await withLookup({ duplicates: 'refuse', dialect: 'field', settlementStep: 60_000 });
    await at.enqueue([{}, {}]);
    at.emulator.faults.inject({ operation: 'transfers.create', kind: 'reset-after-commit' });
    await at.work();
    await at.pass(2);
    await at.work();
    expect((await at.rows()).map(({ state }) => state).sort()).toEqual(['accepted', 'made']);
    await at.payouts.sweep();
    expect((await at.rows()).map(({ state }) => state)).toEqual(['accepted', 'accepted']);
    at.emulator.clock.advance('1h');
    await age(3);
    await at.payouts.sweep();
    expect(await at.rows()).toMatchObject([
      { state: 'paid', evidence: 'lookup' },
      { state: 'paid', evidence: 'lookup' },
    ]);
    for (const { transfer_id } of await at.rows()) expect(transfer_id).not.toBeNull();
  });

  test('that shows an expired approval is believed, although an event told that it was approved', async () => {
    const at = await withLookup();
    await at.enqueue([{ needsApproval: true }]);
    await at.work();
    const [approval] = at.emulator.state().approvals;
    const transferId = approval?.transferId ?? '';
    await at.payouts.noteDecision({ id: 'e1', transferId, decision: 'APPROVED' });
    at.emulator.clock.advance('8d');
    await at.payouts.sweep();
    expect(await at.rows()).toMatchObject([{ state: 'expired', evidence: 'lookup' }]);
    expect((await at.payouts.review())[0]?.notices).toEqual([`CONTRADICTION ${transferId} APPROVED`]);
  });

  test('that shows the failure of an approved transfer contradicts nothing', async () => {
    const at = await withLookup();
    await at.enqueue([{ needsApproval: true }]);
    await at.work();
    const [{ transfer_id: id = '', request_id: requestId = '' } = {}] = await at.rows();
    await at.payouts.noteDecision({ id: 'e1', transferId: id ?? '', decision: 'APPROVED' });
    const failed = { transferDetails: { id, requestId, status: 'FAILED' } };
    await bench(db(), { userId: at.userId, lookup: async () => failed }).then(({ payouts }) =>
      payouts.sweep(),
    );
    expect(await at.states()).toEqual([['rejected', 'TRANSFER_FAILED']]);
    expect(await at.payouts.review()).toEqual([]);
  });

  test('that finds nothing proves a refusal after a lost response, once it is quiet', async () => {
    const at = await withLookup();
    await at.enqueue([{ payee: 'nobody' }]);
    at.emulator.faults.inject({ operation: 'transfers.create', kind: 'reset-before-commit' });
    await at.work();
    await at.pass(2);
    await at.work();
    await at.payouts.sweep();
    expect((await at.rows())[0]?.state).toBe('undecided');
    await age(121);
    await at.payouts.sweep();
    expect(await at.rows()).toMatchObject([
      { state: 'rejected', reason: 'USER_NOT_FOUND', evidence: 'lookup', in_doubt: false },
    ]);
  });

  test('that finds the transfer after such a refusal is believed', async () => {
    const at = await withLookup();
    await at.enqueue([{}]);
    at.emulator.faults.inject({ operation: 'transfers.create', kind: 'reset-after-commit' });
    await at.work();
    await at.pass(2);
    await at.work(responding(404, refusal('USER_NOT_FOUND')));
    expect((await at.rows())[0]?.state).toBe('undecided');
    await at.payouts.sweep();
    expect(await at.rows()).toMatchObject([{ state: 'paid', evidence: 'lookup' }]);
  });

  test('that found nothing before another attempt began says nothing about that attempt', async () => {
    const at = await bench(db(), {
      lookup: async ({ requestId }) => {
        // While the service searches, a person gives the payout back, and the next attempt makes the transfer.
        await at.payouts.payAgain(requestId, 'same');
        at.emulator.faults.inject({ operation: 'transfers.create', kind: 'reset-after-commit' });
        await at.work();
        await at.pass(2);
        await at.work(responding(404, refusal('USER_NOT_FOUND')));
        return null;
      },
    });
    await at.enqueue([{}]);
    at.emulator.faults.inject({ operation: 'transfers.create', kind: 'reset-before-commit' });
    await at.work();
    await at.pass(2);
    await at.work(responding(404, refusal('USER_NOT_FOUND')));
    await age(121);
    await at.payouts.sweep();
    expect(at.emulator.state().transfers).toHaveLength(1);
    expect(await at.states()).toEqual([['undecided', 'REFUSED_AFTER_LOST_RESPONSE USER_NOT_FOUND']]);
  });

  test('that shows neither the key nor the known transfer is not believed', async () => {
    const at = await bench(db(), {
      lookup: async () => ({ transferDetails: { id: 't9', status: 'COMPLETED', amount: 10 } }),
    });
    await at.enqueue([{}]);
    await db().query(`update payout_payment set state = 'made'`);
    await at.payouts.sweep();
    expect(await at.rows()).toMatchObject([
      { state: 'undecided', reason: 'RECORD_OF_ANOTHER_PAYMENT', transfer_id: null },
    ]);
  });

  test('that fails is loud and keeps no other from its evidence', async () => {
    const at = await bench(db());
    const lookup = lookupIn(() => at);
    const { userId } = at;
    const payouts = createPayouts({
      db: db(),
      userId,
      payments: { transfers: noTransfers(), approvals: { list: noApprovals } },
      lookup: async (query) => {
        const { transfers } = at.emulator.state();
        const amount = transfers.find((one) => one.id === query.transferId)?.transferDetails.amount;
        if (amount === 1) throw new Error('the read is down');
        return amount === 2 ? { transferDetails: {} } : lookup(query);
      },
    });
    await at.enqueue([{ amount: '1' }, { amount: '2' }, { amount: '3' }]);
    await at.work();
    await expect(payouts.sweep()).rejects.toThrow('The sweep failed in part (lookups: AggregateError)');
    expect((await at.rows()).map(({ state }) => state)).toEqual(['accepted', 'accepted', 'paid']);
  });

  test('applies a decision that was heard before the transfer was known, under the lock of the transfer', async () => {
    const locked: string[] = [];
    const watched = watching(db(), (text, values) => {
      if (text.includes('pg_advisory_xact_lock')) locked.push(JSON.stringify(values));
    });
    const record = (requestId: string) => ({
      transferDetails: { id: 't7', requestId, status: 'PENDING_APPROVAL' },
    });
    const at = await bench(watched, { lookup: async ({ requestId }) => record(requestId) });
    await at.enqueue([{ needsApproval: true }]);
    await db().query(`update payout_payment set state = 'made'`);
    await at.payouts.noteDecision({ id: 'e1', transferId: 't7', decision: 'APPROVED' });
    locked.splice(0);
    await at.payouts.sweep();
    expect(await at.rows()).toMatchObject([{ state: 'accepted', evidence: 'event', transfer_id: 't7' }]);
    expect(locked).toEqual(['[["t7"]]']);
  });

  test('that fails says why, and one that shows no transfer says so', async () => {
    const at = await bench(db(), {
      settlementStep: 60_000,
      lookup: async ({ requestId }) => {
        if (requestId === first) throw new Error('the read is down');
        return { transferDetails: {} };
      },
    });
    await at.enqueue([{}, {}]);
    const [{ request_id: first = '' } = {}] = await at.rows();
    await at.work();
    const failure = await at.payouts.sweep().catch((error: unknown) => error);
    const [lookups]: unknown[] = failure instanceof AggregateError ? failure.errors : [];
    expect(lookups).toMatchObject({ message: '2 lookups failed' });
    const reasons = lookups instanceof AggregateError ? lookups.errors.map(String).sort() : [];
    expect(reasons).toEqual(['Error: A lookup gave a record without an id.', 'Error: the read is down']);
  });

  test('asks about sixteen payouts at once', async () => {
    let under = 0;
    let most = 0;
    const at = await bench(db(), {
      settlementStep: 60_000,
      lookup: async () => {
        under += 1;
        most = Math.max(most, under);
        await new Promise((resolve) => setTimeout(resolve, 20));
        under -= 1;
        return null;
      },
    });
    await at.enqueue(Array.from({ length: 40 }, () => ({})));
    await db().query(`update payout_payment set state = 'accepted'`);
    await at.payouts.sweep({ lookupsPerSecond: 1e6 });
    expect(most).toBe(16);
  });

  test('covers more rows than one group, each once a sweep', async () => {
    const groups: number[] = [];
    const at = await bench(db(), {
      settlementStep: 60_000,
      lookupMany: async (queries) => {
        groups.push(queries.length);
        return new Map(queries.map(({ requestId }) => [requestId, null]));
      },
    });
    const many = Array.from({ length: 501 }, (_, place) => ({
      employee: `E${place}`,
      payee: at.payee,
      amount: '1',
    }));
    await at.payouts.enqueue({ month: MONTH, currency: 'usdc', chain: 'POLYGON', orders: many });
    await db().query(`update payout_payment set state = 'accepted'`);
    await at.payouts.sweep();
    expect(groups).toEqual([500, 1]);
  });

  test('that no longer finds a transfer which was there is for a person', async () => {
    const at = await bench(db(), { lookup: async () => null });
    await at.enqueue([{}]);
    await at.work();
    await at.payouts.sweep();
    expect(await at.states()).toEqual([['accepted', null]]);
    await age(121);
    await at.payouts.sweep();
    expect(await at.states()).toEqual([['undecided', 'NOT_FOUND_BY_LOOKUP']]);
  });
});

test('a payout that is known by its key alone, and needs approval, is for the approvers', async () => {
  const at = await bench(db(), { duplicates: 'refuse', dialect: 'field' });
  await at.enqueue([{ needsApproval: true }, {}]);
  for (const _ of [1, 2])
    at.emulator.faults.inject({ operation: 'transfers.create', kind: 'reset-after-commit' });
  await at.work();
  await at.pass(2);
  await at.work();
  expect((await at.rows()).map(({ state }) => state)).toEqual(['made', 'made']);
  await age(601);
  await at.payouts.sweep();
  expect(await at.rows()).toMatchObject([
    { state: 'undecided', reason: 'APPROVAL_NOT_KNOWN' },
    { state: 'made' },
  ]);
});

describe('the sweep', () => {
  test('prunes handled events, and decisions that belong to nobody', async () => {
    const at = await bench(db());
    await at.enqueue([{ needsApproval: true }]);
    await at.work();
    const [row] = await at.rows();
    const event = (id: string, transferId: string) =>
      at.payouts.noteDecision({ id, transferId, decision: 'APPROVED' });
    await event('old', row?.transfer_id ?? '');
    await event('stranger', 'no-transfer-of-ours');
    await db().query(`update payout_event set handled_at = now() - interval '31 days'`);
    await event('new', 'another');
    await at.payouts.sweep();
    const { rows } = await db().query('select id from payout_event order by handled_at');
    expect(rows).toEqual([{ id: 'old' }, { id: 'new' }]);
  });

  test('one part that fails stops no other, and is shown until a sweep succeeds', async () => {
    const at = await bench(db());
    await at.enqueue([{ needsApproval: true }]);
    await at.work();
    await at.payouts.noteDecision({ id: 'old', transferId: 'x', decision: 'APPROVED' });
    await db().query(`update payout_event set handled_at = now() - interval '31 days'`);
    const broken = createPayouts({
      db: db(),
      userId: at.userId,
      payments: { transfers: noTransfers(), approvals: { list: brokenList } },
    });
    await expect(broken.sweep()).rejects.toThrow('pending approvals: TypeError');
    expect((await db().query('select id from payout_event')).rows).toEqual([]);
    expect(await at.payouts.summary(MONTH)).toMatchObject({
      sweepProblems: ['pending approvals: TypeError'],
    });
    expect(await at.payouts.sweep()).toEqual({ swept: true });
    const { sweptAt, sweepProblems } = await at.payouts.summary(MONTH);
    expect(sweptAt).toBeInstanceOf(Date);
    expect(sweepProblems).toEqual([]);
  });

  test('names every part that failed, and keeps all errors', async () => {
    const at = await bench(db());
    await at.enqueue([{}]);
    await age(3601);
    const broken: Database = {
      transaction: (work) => db().transaction(work),
      query: async (text, values) => {
        if (text.includes("state in ('awaiting_approval', 'made')")) throw new RangeError('secret');
        if (text.includes('delete from payout_event')) throw new SyntaxError('secret');
        return db().query(text, values);
      },
    };
    const payouts = createPayouts({
      db: broken,
      userId: at.userId,
      payments: { transfers: noTransfers(), approvals: { list: noApprovals } },
    });
    const failure = await payouts.sweep().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(AggregateError);
    expect(failure).toMatchObject({
      message:
        'The sweep failed in part (missing approvals: RangeError; old events: SyntaxError). The other parts are done.',
      errors: [new RangeError('secret'), new SyntaxError('secret')],
    });
    expect((await at.payouts.summary(MONTH)).sweepProblems).toEqual([
      'missing approvals: RangeError',
      'old events: SyntaxError',
    ]);
  });

  test('says so where a pending approval does not show its transfer: no other can be missing from such a list', async () => {
    const at = await bench(db());
    await at.enqueue([{ needsApproval: true }]);
    await at.work();
    await age(1);
    const list = async function* () {
      yield JSON.parse('{ "transferId": null }');
    };
    const payments = { transfers: noTransfers(), approvals: { list } };
    const payouts = createPayouts({ db: db(), userId: at.userId, payments });
    await expect(payouts.sweep()).rejects.toThrow('pending approvals: Error');
    await age(1000);
    await at.payouts.sweep();
    expect(await at.states()).toEqual([['awaiting_approval', null]]);
  });

  test('asks the service for its list in pages of a hundred, and only where an approval is awaited', async () => {
    const asked: unknown[] = [];
    const at = await bench(db());
    const payouts = createPayouts({
      db: db(),
      userId: at.userId,
      payments: {
        transfers: noTransfers(),
        approvals: {
          list: (params) => {
            asked.push(params);
            return noApprovals();
          },
        },
      },
    });
    await payouts.sweep();
    expect(asked).toEqual([]);
    await at.enqueue([{ needsApproval: true }]);
    await at.work();
    await payouts.sweep();
    expect(asked).toEqual([{ limit: 100 }]);
  });

  test('one process at a time sweeps; one that died gives way', async () => {
    const at = await bench(db());
    await db().query(`update payout_sweep set lease_until = now() + interval '1 minute'`);
    expect(await at.payouts.sweep()).toEqual({ swept: false });
    await db().query(`update payout_sweep set lease_until = now() - interval '1 second'`);
    expect(await at.payouts.sweep()).toEqual({ swept: true });
    expect(await at.payouts.sweep({ lease: 5000 })).toEqual({ swept: true });
  });
});

function noTransfers() {
  const never = (): never => {
    throw new Error('nothing is paid in this test');
  };
  return { create: never, createBatch: never };
}

async function* noApprovals(): AsyncGenerator<{ transferId: string }> {}

// biome-ignore lint/correctness/useYield: it fails before it gives anything
async function* brokenList(): AsyncGenerator<{ transferId: string }> {
  throw new TypeError('the list is down');
}
