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
const ATTEMPTS = tests('store/attempts');
const CALL = '  try {\n    const record = await (';

export const mutants: readonly Mutant[] = [
  {
    name: 'never calls, and marks every payout rejected',
    file: payouts('worker/call.ts'),
    find: CALL,
    replace: `  if (body.requestId !== '') return { finding: 'refused', reason: 'USER_NOT_FOUND', about: 'payment' };\n${CALL}`,
    tests: tests('worker'),
  },
  {
    name: 'leaves one payout in twenty unpaid, as rejected',
    file: payouts('worker/call.ts'),
    find: CALL,
    replace: `  if (Number.parseInt(body.requestId.slice(0, 2), 16) < 13) return { finding: 'refused', reason: 'USER_NOT_FOUND', about: 'payment' };\n${CALL}`,
    tests: tests('worker'),
  },
  {
    name: 'says completed before the call has ended',
    file: payouts('worker/call.ts'),
    find: 'const record = await (',
    replace: "const record = { transferDetails: { id: body.requestId, status: 'COMPLETED' } };\n    void (",
    tests: tests('paying'),
  },
  {
    name: 'drops the approval flag of the payout',
    file: payouts('rules/body.ts'),
    find: 'requireApproval: needsApproval }',
    replace: 'requireApproval: needsApproval && requestId === payer }',
    tests: tests('review'),
  },
  {
    name: 'reads an unknown approval as none',
    file: payouts('rules/payroll.ts'),
    find: 'return NO.includes(word) ? false : undefined;',
    replace: 'return false;',
    tests: tests('payroll-file'),
  },
  {
    name: 'leaves the month out of the key',
    file: payouts('rules/request-ids.ts'),
    find: '    checkMonth(key.month),\n',
    replace: '',
    tests: tests('paying'),
  },
  {
    name: 'leaves the payer out of the key',
    file: payouts('rules/request-ids.ts'),
    find: "    canonical('payer', key.payer),\n",
    replace: '',
    tests: tests('paying'),
  },
  {
    name: 'keeps names as they are written',
    file: payouts('rules/checks.ts'),
    find: "name.normalize('NFC').trim()",
    replace: 'name',
    tests: tests('paying'),
  },
  {
    name: 'takes a name in another format for a new payout',
    file: payouts('store/enqueue.ts'),
    find: 'known.get(employee) ?? similar.get(fold(employee))',
    replace: 'known.get(employee)',
    tests: tests('paying'),
  },
  {
    name: 'pays what another payer enqueued',
    file: payouts('store/attempts.ts'),
    find: ' && payers.includes(row.payer)) {',
    replace: ') {',
    tests: tests('paying'),
  },
  {
    name: 'handles an event as often as it comes',
    file: payouts('store/events.ts'),
    find: 'return rows.length > 0;',
    replace: 'return true;',
    tests: tests('review'),
  },
  {
    name: 'takes no lock on the transfer',
    file: payouts('store/events.ts'),
    find: '  if (transferIds.length === 0) return;',
    replace: '  if (transferIds.length >= 0) return;',
    tests: RACES,
  },
  {
    name: 'lets a transfer seen late overwrite a final state',
    file: payouts('rules/payment.ts'),
    find: '!isFinal(from) &&',
    replace: '',
    tests: tests('rules'),
  },
  {
    name: 'pays again whatever the state',
    file: payouts('store/pay-again.ts'),
    find: "if (transfer_id !== null || !(ended || state === 'undecided'))",
    replace: "if (transfer_id !== null && !(ended || state === 'undecided'))",
    tests: tests('review'),
  },
  {
    name: 'rejects on a 502',
    file: payouts('worker/call.ts'),
    find: "  if (finding === 'open' || finding === 'made') {",
    replace:
      "  if (response?.status === 502) return { finding: 'refused', reason, about: 'payment' };\n  if (finding === 'open' || finding === 'made') {",
    tests: tests('paying'),
  },
  {
    name: 'rejects on a gateway’s page',
    file: payouts('worker/call.ts'),
    find: 'isSaid: name !== undefined ||',
    replace: 'isSaid: true ||',
    tests: tests('paying'),
  },
  {
    name: 'takes any conflict for proof that the key is known',
    file: payouts('worker/call.ts'),
    find: "  if (finding === 'known') return",
    replace:
      "  if (response?.status === 409) return { finding: 'known', reason };\n  if (finding === 'known') return",
    tests: tests('finding'),
  },
  {
    name: 'ignores that an earlier attempt is in doubt',
    file: payouts('rules/see-attempt.ts'),
    find: 'if (doubts > 0) return',
    replace: 'if (doubts > 1000) return',
    tests: tests('rules-property'),
  },
  {
    name: 'pays under a new key because the old one is known',
    file: payouts('rules/see-attempt.ts'),
    find: "  if (finding.finding === 'known') {",
    replace:
      "  if (finding.finding === 'known' && payment.refused) return { action: 'rekey', reason: 'KNOWN' };\n  if (finding.finding === 'known') {",
    tests: tests('rules-property'),
  },
  {
    name: 'takes two doubts away at once',
    file: payouts('rules/see-attempt.ts'),
    find: 'Math.max(0, payment.doubts - 1)',
    replace: 'Math.max(0, payment.doubts - 2)',
    tests: tests('rules-property'),
  },
  {
    name: 'rejects a whole batch because a lookup finds nothing',
    file: payouts('rules/see-record.ts'),
    find: 'size > 1 ?',
    replace: "size > 1 && proof.evidence !== 'lookup' ?",
    tests: ATTEMPTS,
  },
  {
    name: 'counts a result that is noted again',
    file: payouts('store/attempts.ts'),
    find: ' and a.settled_at is null',
    replace: '',
    tests: ATTEMPTS,
  },
  {
    name: 'lets a stale refusal reject a payout that was given back',
    file: payouts('rules/see-attempt.ts'),
    find: 'attempt === payment.attempts && attempt > fence',
    replace: 'attempt === payment.attempts',
    tests: tests('review'),
  },
  {
    name: 'drops the late result of a key that was replaced',
    file: payouts('rules/see-attempt.ts'),
    find: 'return change(lateResult(payment, finding, doubts));',
    replace: 'return change({});',
    tests: ATTEMPTS,
  },
  {
    name: 'calls paid what was only accepted',
    file: payouts('rules/record.ts'),
    find: "return { transferId, state: 'accepted' };",
    replace: "return { transferId, state: 'paid' };",
    tests: tests('rules'),
  },
  {
    name: 'accepts a record of another payment',
    file: payouts('rules/record.ts'),
    find: "  ].filter((field) => typeof field === 'string');",
    replace: "  ].filter((field) => typeof field === 'number');",
    tests: ATTEMPTS,
  },
  {
    name: 'lets one transfer settle several payments',
    file: payouts('upkeep/lookups.ts'),
    find: "owner === due.request_id ? differs : [...differs, 'transfer']",
    replace: 'differs',
    tests: ATTEMPTS,
  },
  {
    name: 'rejects a payout whose key is known',
    file: payouts('rules/see-attempt.ts'),
    find: "{ state: 'made', reason,",
    replace: "{ state: 'rejected', reason,",
    tests: tests('rules-property'),
  },
  {
    name: 'sends a part of a batch under its key',
    file: payouts('store/attempts.ts'),
    find: '    body,\n  }));',
    replace:
      "    body: attempts > 0 && 'batch' in body.destination ? { ...body, destination: { batch: body.destination.batch.slice(0, -1) } } : body,\n  }));",
    tests: tests('paying'),
  },
  {
    name: 'uses a random key from the third attempt',
    file: payouts('worker/worker.ts'),
    find: 'await this.#parts.request(body, call.abort.signal)',
    replace:
      'await this.#parts.request(attempt.number > 2 ? { ...body, requestId: crypto.randomUUID() } : body, call.abort.signal)',
    tests: tests('worker'),
  },
  {
    name: 'calls again for what was made',
    file: payouts('store/attempts.ts'),
    find: "and state = 'queued' order by request_id for update",
    replace: "and state in ('queued', 'made') order by request_id for update",
    tests: ATTEMPTS,
  },
  {
    name: 'finishes jobs outside of the transaction of the rows',
    file: payouts('store/attempts.ts'),
    find: '    await queue.finish(\n      sql,',
    replace: '    await queue.finish(\n      db,',
    tests: ATTEMPTS,
  },
  {
    name: 'retries a key that the service may have forgotten',
    file: payouts('store/attempts.ts'),
    find: 'row.doubts > 0 && (row.doubt_age ?? 0) >= keyLifetime',
    replace: 'row.doubts > 1000',
    tests: tests('paying'),
  },
  {
    name: 'calls for held payouts',
    file: payouts('store/attempts.ts'),
    find: ' && !row.held &&',
    replace: ' &&',
    tests: tests('brakes'),
  },
  {
    name: 'goes on after any number of refusals',
    file: payouts('store/brakes.ts'),
    find: '?? 0) < maxRefusals) return;',
    replace: '?? 0) < 1e9) return;',
    tests: tests('brakes'),
  },
  {
    name: 'pauses only the payment that was told to wait',
    file: payouts('store/brakes.ts'),
    find: '    if (paused.length === 0) continue;',
    replace: '    if (paused.length >= 0) continue;',
    tests: tests('brakes'),
  },
  {
    name: 'calls everything expired that left the list',
    file: payouts('upkeep/sweep.ts'),
    find: "undecided_since = clock_timestamp(), undecided_for = 'approvers', state = 'undecided'",
    replace: "undecided_since = null, undecided_for = null, state = 'expired'",
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
    name: 'believes a lookup from before another attempt',
    file: payouts('upkeep/lookups.ts'),
    find: 'return payment.attempts === due.attempts ? [',
    replace: 'return payment.attempts >= due.attempts ? [',
    tests: tests('sweep'),
  },
  {
    name: 'believes a looked-up record that shows no key',
    file: payouts('upkeep/lookups.ts'),
    find: "due.transfer_id, 'lookup')",
    replace: "due.transfer_id, 'response')",
    tests: tests('sweep'),
  },
  {
    name: 'counts the lifetime of a key from the last attempt',
    file: payouts('store/attempts.ts'),
    find: 'doubt_since = coalesce(doubt_since, clock_timestamp())',
    replace: 'doubt_since = clock_timestamp()',
    tests: tests('paying'),
  },
  {
    name: 'settles a payout by an event about another payment',
    file: payouts('store/events.ts'),
    find: 'if (differs.length > 0) {',
    replace: 'if (differs.length > 9) {',
    tests: tests('transfer-events'),
  },
  {
    name: 'drops events that come before the worker has noted the transfer',
    file: payouts('store/events.ts'),
    find: '  await applyNews(sql, transferIds);\n',
    replace: '',
    tests: tests('transfer-events'),
  },
  {
    name: 'ignores pauses',
    file: payouts('store/attempts.ts'),
    find: 'row.due_in <= EARLY',
    replace: 'row.due_in <= 1e9',
    tests: tests('paying'),
  },
  {
    name: 'pauses that do not grow',
    file: payouts('rules/see-attempt.ts'),
    find: 'firstSeconds * 2 ** Math.min(earlier, 30)',
    replace: 'firstSeconds',
    tests: tests('paying'),
  },
  {
    name: 'counts a pause as a failure',
    file: payouts('rules/see-attempt.ts'),
    find: '    return change({ ...facts, ...pausedChange(payment, reason, rules, retryAfter) });',
    replace:
      '    return change({ ...facts, ...(payment.pauses > 20 ? undecided(reason) : pausedChange(payment, reason, rules, retryAfter)) });',
    tests: tests('paying'),
  },
  {
    name: 'accepts another amount for a known payout',
    file: payouts('store/enqueue.ts'),
    find: "micros(row.amount) !== micros(amount) && 'amount'",
    replace: 'false',
    tests: tests('paying'),
  },
  {
    name: 'forgets a result that could not be noted',
    file: payouts('worker/worker.ts'),
    find: '        this.#results.push(...group);\n',
    replace: '',
    tests: tests('worker'),
  },
  {
    name: 'slows all payees for one that is refused',
    file: payouts('worker/pace.ts'),
    find: 'subjects.size > 1 ||',
    replace: 'subjects.size > 0 ||',
    tests: tests('worker/pace'),
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
