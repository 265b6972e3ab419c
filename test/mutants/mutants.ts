/** A bug that is planted on purpose. A test must fail with it. */
export interface Mutant {
  readonly name: string;
  /** The file, from the root of the repository. */
  readonly file: string;
  /** What is replaced: it must be there, and the first place counts. */
  readonly find: string;
  readonly replace: string;
  /** The tests that must notice. Those in test/fleet run on a real PostgreSQL server. */
  readonly tests: string;
}

const payouts = (file: string) => `src/payouts/${file}`;
const tests = (name: string) => `test/payouts/${name}.test.ts`;
const RACES = 'test/fleet/races.test.ts';
const CALL = '  try {\n    const transfer = await (';

export const mutants: readonly Mutant[] = [
  {
    name: 'never calls, and marks every payout rejected',
    file: payouts('worker/call.ts'),
    find: CALL,
    replace: `  if (job.id !== '') return { verdict: { action: 'reject', reason: 'USER_NOT_FOUND' } };\n${CALL}`,
    tests: tests('worker'),
  },
  {
    name: 'leaves one payout in twenty unpaid, as rejected',
    file: payouts('worker/call.ts'),
    find: CALL,
    replace: `  if (Number.parseInt(job.requestId.slice(0, 2), 16) < 13) return { verdict: { action: 'reject', reason: 'USER_NOT_FOUND' } };\n${CALL}`,
    tests: tests('worker'),
  },
  {
    name: 'says completed before the call has ended',
    file: payouts('worker/call.ts'),
    find: 'const transfer = await (',
    replace: "const transfer = { transferDetails: { id: job.requestId, status: 'COMPLETED' } };\n    void (",
    tests: tests('paying'),
  },
  {
    name: 'drops the approval flag of the payout',
    file: payouts('worker/call.ts'),
    find: 'needs_approval: requireApproval } = first',
    replace: 'needs_approval: requireApproval = false } = { ...first, needs_approval: false }',
    tests: tests('review'),
  },
  {
    name: 'reads an unknown approval as none',
    file: payouts('rules/payroll-file.ts'),
    find: 'return NO.includes(word) ? false : undefined;',
    replace: 'return false;',
    tests: tests('payroll-file'),
  },
  {
    name: 'leaves the month out of the key',
    file: payouts('store/keys.ts'),
    find: "requestIdFrom('payroll', key.month, key.employee)",
    replace: "requestIdFrom('payroll', key.employee)",
    tests: tests('paying'),
  },
  {
    name: 'handles an event as often as it comes',
    file: payouts('store/decisions.ts'),
    find: '    if (rows.length === 0) return;\n',
    replace: '',
    tests: tests('review'),
  },
  {
    name: 'takes no lock on the transfer',
    file: payouts('store/decisions.ts'),
    find: '  if (transferIds.length === 0) return;',
    replace: '  if (transferIds.length >= 0) return;',
    tests: RACES,
  },
  {
    name: 'lets a transfer seen late overwrite a settled row',
    file: payouts('rules/states.ts'),
    find: '  paid: [],\n  rejected: [],',
    replace: "  paid: ['accepted', 'rejected'],\n  rejected: ['accepted', 'paid'],",
    tests: tests('rules'),
  },
  {
    name: 'pays again whatever the state',
    file: payouts('store/review.ts'),
    find: 'if (transfer || !(ended || undecided))',
    replace: 'if (transfer && !(ended || undecided))',
    tests: tests('review'),
  },
  {
    name: 'rejects on a 502',
    file: payouts('rules/judge.ts'),
    find: "  if (error.outcome === 'unknown'",
    replace:
      "  if (error instanceof APIError && error.status === 502) return { action: 'reject', reason: 'HTTP_502' };\n  if (error.outcome === 'unknown'",
    tests: tests('judge'),
  },
  {
    name: 'rejects on a gateway’s page',
    file: payouts('rules/judge.ts'),
    find: 'if (name === undefined || error instanceof AuthenticationError) return false;',
    replace: 'if (name === undefined) return true;',
    tests: tests('judge'),
  },
  {
    name: 'ignores that an earlier attempt is in doubt',
    file: payouts('rules/see-result.ts'),
    find: 'if (doubts > 0) return',
    replace: 'if (doubts > 1000) return',
    tests: tests('paying'),
  },
  {
    name: 'splits a batch in doubt',
    file: payouts('rules/see-result.ts'),
    find: 'row.doubts <= 1',
    replace: 'row.doubts <= 1000',
    tests: tests('paying'),
  },
  {
    name: 'lets a stale refusal reject a payout that was given back',
    file: payouts('rules/see-result.ts'),
    find: "row.state === 'queued' && attempt > row.fence",
    replace: "row.state === 'queued' && attempt > 0",
    tests: tests('review'),
  },
  {
    name: 'calls paid what was only accepted',
    file: payouts('rules/read-transfer.ts'),
    find: "return { transferId, state: 'accepted' };",
    replace: "return { transferId, state: 'paid' };",
    tests: tests('rules'),
  },
  {
    name: 'rejects a payout whose key is known',
    file: payouts('rules/see-result.ts'),
    find: "return { state: 'made',",
    replace: "return { state: 'rejected',",
    tests: tests('paying'),
  },
  {
    name: 'calls everything expired that left the list',
    file: payouts('upkeep/pending.ts'),
    find: "state = 'undecided', reason = 'DECISION_NOT_HEARD', undecided_since = clock_timestamp(),\n       undecided_for = 'approvers'",
    replace:
      "state = 'expired', reason = 'APPROVAL_EXPIRED', undecided_since = null,\n       undecided_for = null",
    tests: tests('sweep'),
  },
  {
    name: 'stops the sweep at the first part that fails',
    file: payouts('upkeep/sweep.ts'),
    find: 'errors.push(error);',
    replace: 'throw error;',
    tests: tests('sweep'),
  },
  {
    name: 'ignores pauses',
    file: payouts('store/begin.ts'),
    find: '         and due_at <= clock_timestamp()',
    replace: '         and due_at <> clock_timestamp()',
    tests: tests('paying'),
  },
  {
    name: 'pauses that do not grow',
    file: payouts('rules/pause.ts'),
    find: 'firstSeconds * 2 ** Math.min(earlier, 30)',
    replace: 'firstSeconds',
    tests: tests('paying'),
  },
  {
    name: 'counts a pause as an attempt',
    file: payouts('rules/see-result.ts'),
    find: '    reason,\n    doubts,\n    pauses: row.pauses + 1,',
    replace:
      "    ...(row.pauses > 20 && { state: 'undecided', undecided_for: 'operator' }),\n    reason,\n    doubts,\n    pauses: row.pauses + 1,",
    tests: tests('paying'),
  },
  {
    name: 'accepts another amount for a known payout',
    file: payouts('store/enqueue.ts'),
    find: "row.amount !== sixPlaces(amount) && 'amount'",
    replace: 'false',
    tests: tests('paying'),
  },
  {
    name: 'forgets a result that could not be noted',
    file: payouts('worker/worker.ts'),
    find: 'this.#results = [...this.#results.filter((result) => !group.includes(result)), ...group];',
    replace: 'this.#results = this.#results.filter((result) => !group.includes(result));',
    tests: tests('worker'),
  },
  {
    name: 'slows all payees for one that is refused',
    file: payouts('worker/pace.ts'),
    find: 'subjects.size > 1 ||',
    replace: 'subjects.size > 0 ||',
    tests: tests('pace'),
  },
  {
    name: 'writes jobs outside of the transaction',
    file: 'examples/payout-fleet/src/queue.ts',
    find: 'await boss.insert(PAYOUTS, inserts, within(sql));',
    replace: 'await boss.insert(PAYOUTS, inserts);',
    tests: RACES,
  },
  {
    name: 'has no dead letters',
    file: 'examples/payout-fleet/src/queue.ts',
    find: ', deadLetter: GIVEN_UP }',
    replace: ' }',
    tests: RACES,
  },
  {
    name: 'dies with a connection that breaks within a transaction',
    file: 'examples/payout-fleet/src/database.ts',
    find: "client.on('error', onError);",
    replace: '',
    tests: RACES,
  },
];
