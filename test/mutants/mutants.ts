/** A bug that is planted on purpose. A test must fail with it. */
export interface Mutant {
  readonly name: string;
  /** The file, from the root of the repository. */
  readonly file: string;
  /** What is replaced: it must be there, and the first place counts. */
  readonly find: string;
  readonly replace: string;
  /** The tests that must notice. */
  readonly tests: string;
}

const MODEL = 'test/payouts/model.test.ts';
const RULES = 'test/payouts/rules.test.ts';
const ROW = 'src/payouts/pg-boss/row.ts';
const ADAPTER = 'test/payouts/pg-boss.test.ts';
const ARCHIVE = 'test/payouts/archive.test.ts';
const LIST = 'test/client/transfers-from.test.ts';
const CLOSE = 'test/client/close/close.test.ts';
const WENT_BACK = 'test/payouts/went-back.test.ts';

/** Each of these brought a false outcome back when the rules were executed as a model. */
export const mutants: readonly Mutant[] = [
  {
    name: 'does not ask the other rounds of a payout before it calls',
    file: 'src/payouts/pg-boss/rounds.ts',
    find: 'if (round === 1) return',
    replace: 'if (round >= 1) return',
    tests: 'test/payouts/pg-boss-rounds.test.ts',
  },
  {
    name: 'calls without knowing the token of the attempt',
    file: 'src/payouts/step.ts',
    find: 'if (!once && !isOurs)',
    replace: 'if (false)',
    tests: MODEL,
  },
  {
    name: 'does not say that an earlier attempt is in doubt',
    file: 'src/payouts/call-service.ts',
    find: '...(part.doubtSince !== null && { inDoubt: true })',
    replace: '',
    tests: RULES,
  },
  {
    name: 'sends an attempt that was stored long ago',
    file: 'src/payouts/step.ts',
    find: 'if (!(age >= 0 && left >= LEAST_TIME))',
    replace: 'if (age < 0)',
    tests: MODEL,
  },
  {
    name: 'does not ask the holds in the call step',
    file: 'src/payouts/step.ts',
    find: 'const gate = await world.gate(situation, part, true);',
    replace: "const gate: Gate = { ...(await world.gate(situation, part, true)), may: 'pay' };",
    tests: MODEL,
  },
  {
    name: 'counts an absence before the quiet time is over',
    file: 'src/payouts/rules/apply-lookup.ts',
    find: 'if (asked < quiet) return',
    replace: 'if (asked < 0) return',
    tests: MODEL,
  },
  {
    name: 'compares the quiet time with the end of the lookup',
    file: 'src/payouts/rules/apply-lookup.ts',
    find: 'if (asked < quiet) return',
    replace: 'if (now < quiet) return',
    tests: RULES,
  },
  {
    name: 'stores an attempt until the key is forgotten',
    file: 'src/payouts/rules/attempt.ts',
    find: 'const margin = SEND_LIMIT + 120_000;',
    replace: 'const margin = 0;',
    tests: RULES,
  },
  {
    name: 'lets a person call a payment unpaid at any moment',
    file: 'src/payouts/rules/person.ts',
    find: 'if (said < from)',
    replace: 'if (from < 0)',
    tests: MODEL,
  },
  {
    name: 'lets a person call any payment unpaid',
    file: 'src/payouts/rules/person.ts',
    find: "if (part.state !== 'undecided')",
    replace: "if (part.state === 'paid')",
    tests: RULES,
  },
  {
    name: 'pays again what may have moved money',
    file: 'src/payouts/rules/rounds.ts',
    find: 'if (open !== undefined)',
    replace: 'if (open !== undefined && round > 9)',
    tests: RULES,
  },
  {
    name: 'cancels what is in doubt',
    file: 'src/payouts/rules/person.ts',
    find: "return part.state === 'queued' && part.doubtSince === null\n    ? move(part, 'cancelled'",
    replace: "return part.state === 'queued' && part.doubtSince !== undefined\n    ? move(part, 'cancelled'",
    tests: MODEL,
  },
  {
    name: 'takes a known key for a transfer after a refusal',
    file: 'src/payouts/rules/apply-call.ts',
    find: 'part.refusedKey\n            ? toUndecided',
    replace: 'part.refusedKey && now < 0\n            ? toUndecided',
    tests: RULES,
  },
  {
    name: 'counts a lost call as not sent',
    file: 'src/payouts/rules/attempt.ts',
    find: 'doubtSince: part.doubtSince ?? part.begun ?? now,\n});',
    replace: 'doubtSince: part.doubtSince,\n});',
    tests: MODEL,
  },
  {
    name: 'rejects a payment while an attempt is in doubt',
    file: 'src/payouts/rules/apply-call.ts',
    find: 'if (part.doubtSince !== null) {',
    replace: 'if (part.doubtSince === undefined) {',
    tests: RULES,
  },
  {
    name: 'stores a step whose row has changed',
    file: ROW,
    find: 'where key = $1 and version = $2 returning key`,\n    [\n      row.key',
    replace: 'where key = $1 and version >= $2 returning key`,\n    [\n      row.key',
    tests: ADAPTER,
  },
  {
    name: 'lets two payments have one transfer',
    file: ROW,
    find: 'if (owner?.request_id === requestId) continue;',
    replace: 'if (owner !== undefined) continue;',
    tests: ADAPTER,
  },
  {
    name: 'repairs no row without a job',
    file: 'src/payouts/pg-boss/repair.ts',
    find: 'if (!(await isAlive(boss, job_id, now))) dead.add(job_id);',
    replace: 'await isAlive(boss, job_id, now);',
    tests: 'test/payouts/repair.test.ts',
  },
  {
    name: 'leaves a payout waiting for a hold that is gone',
    file: 'src/payouts/pg-boss/repair.ts',
    find: '(await wakeStranded(store))',
    replace: '0',
    tests: 'test/payouts/repair.test.ts',
  },
  {
    name: 'takes an order whose rows are archived for a new one',
    file: 'src/payouts/pg-boss/enqueue.ts',
    find: 'true as is_archived from payout_archive',
    replace: 'true as is_archived from payout_archive where false',
    tests: ARCHIVE,
  },
  {
    name: 'archives what a person must look at',
    file: 'src/payouts/pg-boss/archive.ts',
    find: 'p.is_done and not p.needs_review',
    replace: 'p.is_done',
    tests: ARCHIVE,
  },
  {
    name: 'does not hear events about archived payouts',
    file: 'src/payouts/pg-boss/repair.ts',
    find: 'await bringBackUnheard(db);',
    replace: '',
    tests: ARCHIVE,
  },
  {
    name: 'does not keep who ended a hold',
    file: 'src/payouts/pg-boss/commands.ts',
    find: "if (rows.length > 0) await noteCommand(sql, { kind: 'resume'",
    replace: "if (rows.length < 0) await noteCommand(sql, { kind: 'resume'",
    tests: 'test/payouts/book.test.ts',
  },
  {
    name: 'takes times without a zone for instants',
    file: 'src/shared/instant.ts',
    find: '(?:Z|[+-]\\d\\d:?\\d\\d)$/i',
    replace: '(?:Z|[+-]\\d\\d:?\\d\\d)?$/i',
    tests: LIST,
  },
  {
    name: 'takes a page for the next one that does not show the last transfer of the page before',
    file: 'src/client/helpers/walk-transfers.ts',
    find: 'if (!ids.has(before.lastId))',
    replace: 'if (ids.size > 1e9)',
    tests: LIST,
  },
  {
    name: 'asks for a page strictly before the last transfer of the page before',
    file: 'src/client/helpers/walk-transfers.ts',
    find: 'new Date(before.last + 1)',
    replace: 'new Date(before.last)',
    tests: LIST,
  },
  {
    name: 'takes a page that is full of one instant for the end of the list',
    file: 'src/client/helpers/walk-transfers.ts',
    find: 'const isFull = shown.length >= Math.min(limit, shortest);',
    replace: 'const isFull = false;',
    tests: LIST,
  },
  {
    name: 'asks nothing about orders and rounds made after a database went back',
    file: 'src/payouts/rules/went-back.ts',
    find: 'command === null || known >= command.number ?',
    replace:
      'command === null || known >= command.number || situation.parts.every(({ begun }) => begun === null) ?',
    tests: WENT_BACK,
  },
  {
    name: 'takes a walk that did not end for whole after a database went back',
    file: 'src/payouts/pg-boss/walk-payer.ts',
    find: 'return NO_WALK;\n    isWhole = false;',
    replace: 'return NO_WALK;',
    tests: WENT_BACK,
  },
  {
    name: 'does not notice that a database went back',
    file: 'src/payouts/pg-boss/database-identity.ts',
    find: 'one !== null && other !== null && one !== other;',
    replace: 'false && one !== other;',
    tests: WENT_BACK,
  },
  {
    name: 'closes a day without the state of the rows',
    file: 'src/client/helpers/reconciled-payment.ts',
    find: "if (rows.some((row) => contradicts(row, result))) paths.add('state');",
    replace: '',
    tests: CLOSE,
  },
  {
    name: 'forgets a payment of a day once it was told',
    file: 'src/client/helpers/open-payments.ts',
    find: 'this.#told.put(key, id, result);\n    if (rows',
    replace: 'if (rows',
    tests: CLOSE,
  },
];
