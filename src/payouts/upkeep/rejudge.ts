import { isBatch, readableBody } from '../rules/body.ts';
import { findingOfError } from '../rules/call-finding.ts';
import type { Finding } from '../rules/see-attempt.ts';
import { type Attempted, type FleetRules, settleWithin } from '../store/attempts.ts';
import { allOrEach, errorsOf, moving, type Store } from '../store/transaction.ts';
import type { PayoutTransfers } from '../worker/call.ts';

/** What a client must offer to judge refusals again: the client as it is, over another network. */
interface Derivable {
  withOptions(options: object): PayoutTransfers;
}

const canDerive = (payments: object): payments is Derivable =>
  'withOptions' in payments && typeof payments.withOptions === 'function';

/** A refusal that proved nothing when it came. */
interface Named {
  readonly status: number;
  readonly name: string;
  readonly doubtful: boolean;
  readonly body: string;
}

/** Refusals to a transaction. */
const GROUP = 500;

/**
 * Judges refusals again that proved nothing when they came: the client's `refusals` may list their names by now. Each
 * kind of refusal is shown to the client once, as a response without any network.
 */
export async function rejudge(store: Store, payments: object, rules: FleetRules): Promise<unknown[]> {
  if (!canDerive(payments)) return [];
  const { rows } = await store.db.query<Named>(
    `select distinct on (a.name, a.status, a.doubtful, p.size > 1) a.name, a.status, a.doubtful, p.body
     from payout_attempt a join payout_payment p using (request_id)
     where a.finding = 'open' and a.name is not null and p.payer = any($1::text[]) and p.doubts > 0
       and p.state in ('queued', 'undecided')`,
    [rules.payers],
  );
  const errors: unknown[] = [];
  for (const named of rows) {
    const finding = await judgeAgain(payments, named);
    // Its body spoke of an earlier request, which a name does not take back.
    const closes = finding.finding === 'refused' && !named.doubtful;
    if (closes || finding.finding === 'known')
      errors.push(...(await settleNamed(store, named, finding, rules)));
  }
  return errors;
}

/** Returns what the client reads in a refusal now. */
async function judgeAgain(payments: Derivable, { status, name, body }: Named): Promise<Finding> {
  const read = readableBody(body);
  const open: Finding = { finding: 'open', reason: name, counts: false };
  if (read === undefined) return open;
  const { transfers } = payments.withOptions({
    fetch: async () => Response.json({ code: status * 1000, error: name }, { status }),
    accessToken: 'none',
    retries: 0,
    hooks: {},
    logLevel: 'off',
  });
  // Another key, so that nothing is remembered of the true one.
  const params = { ...read, requestId: crypto.randomUUID() };
  try {
    await (isBatch(params) ? transfers.createBatch(params) : transfers.create(params));
    return open;
  } catch (error) {
    return findingOfError(error);
  }
}

async function settleNamed(
  store: Store,
  { name, status, doubtful }: Named,
  finding: Finding,
  rules: FleetRules,
): Promise<unknown[]> {
  const { rows } = await store.db.query<Attempted['attempt']>(
    `select a.request_id as "requestId", a.number from payout_attempt a join payout_payment p using (request_id)
     where a.finding = 'open' and a.name = $1 and a.status = $2 and a.doubtful = $4 and p.payer = any($3::text[])
       and p.doubts > 0
       and p.state in ('queued', 'undecided') order by a.number`,
    [name, status, rules.payers, doubtful],
  );
  const errors: unknown[] = [];
  // The attempts of one payment come one after the other, each in a group of its own.
  const rounds = Map.groupBy(rows, ({ number }) => number);
  for (const round of rounds.values()) {
    for (let start = 0; start < round.length; start += GROUP) {
      const attempted = round.slice(start, start + GROUP).map((attempt) => ({ attempt, finding }));
      const settle = (some: readonly Attempted[]) =>
        moving(store, (sql) => settleWithin(sql, some, rules, `a.finding = 'open'`));
      errors.push(...errorsOf(await allOrEach(attempted, settle)));
    }
  }
  return errors;
}
