import { type APIError, type PaymentsClient, RateLimitError } from 'stablecoin-payments';
import { valueAt } from '../../shared/values.ts';
import { briefly, type Observation, observe, type Surroundings, settledCall } from '../observed-call.ts';
import { type Level, note, safeWord } from '../report.ts';
import { isOpen, isRefusal, judgeWrite } from './judge.ts';
import { compare, type Payment, type Sample, type Views } from './sample.ts';

/** Creates a sample with an amount. */
export type Create<T> = (client: PaymentsClient, requestId: string, amount: number) => Promise<T>;

/** The ways to send a `requestId` once more. */
const [same, changed, later] = ['sent again', 'with another amount', 'some requests later'] as const;
type How = typeof same | typeof changed | typeof later;

/**
 * Sends one `requestId` in every way in which it may be sent again, and another one twice at the same time.
 *
 * @param close - Closes the payments of one `requestId`. Returns false if there are two, or if one may be paid.
 * @returns The views of the first payment; none if the service made no payment, undefined if it must not make another one.
 */
export async function checkKeys<T extends Payment>(
  around: Surroundings,
  sample: Sample,
  make: Create<T>,
  close: (made: readonly Views<T>[], isFirst: boolean) => Promise<boolean>,
): Promise<readonly T[] | undefined> {
  const requestId = crypto.randomUUID();
  const create: Create<T> = async (...sent) => {
    const record = await make(...sent);
    // A batch or a bridge may be shown without `transferDetails` around it.
    return { ...record, transferDetails: { ...record, ...record.transferDetails } };
  };
  const again = (views: Views<T>, how: How) => sendAgain(around, sample, views, requestId, how, create);
  const first = await createFirst(around, sample, requestId, create);
  if (first === undefined) return [];
  let made = await again([first], same);
  if (made.length === 1) made = await again(made[0], changed);
  if (!(await close(made, true))) return undefined;
  if (!(await close(await createAtOnce(around, sample, requestId, create, made[0]), false))) return undefined;
  // After another key, as a service may remember only the last one.
  const [views, ...others] = await again(made[0], later);
  await close(others, false);
  return others.length === 0 ? views : undefined;
}

async function createFirst<T extends Payment>(
  around: Surroundings,
  sample: Sample,
  requestId: string,
  create: Create<T>,
): Promise<T | undefined> {
  const { client, report } = around;
  const { operation } = sample;
  const made = await observe(around, operation, () => create(client, requestId, sample.amount));
  const { data, error } = made;
  if (isOpen(error)) report.open.push(`${operation}: may have been made. requestId ${requestId}`);
  if (!judgeWrite(around, operation, made) || data === undefined) return undefined;
  if (valueAt(data, 'transferDetails.id') === undefined) {
    report.open.push(`${operation}: made without an id. requestId ${requestId}`);
    note(report, operation, 'failure', 'The record has no id, so one payment cannot be told from two.');
    return undefined;
  }
  compare(around, sample, data);
  // The client has compared it with the one that was sent.
  if (!valueAt(data, 'transferDetails.requestId')) note(report, operation, 'warning', withoutKey);
  return data;
}

const withoutKey =
  'The record does not show its `requestId`. `resolve` and `reconcile` cannot tell which payment it is.';

/**
 * Sends the `requestId` of a payment once more. The service must not make another payment.
 *
 * @returns The payments, with what the response shows.
 */
async function sendAgain<T extends Payment>(
  around: Surroundings,
  sample: Sample,
  views: Views<T>,
  requestId: string,
  how: How,
  create: Create<T>,
): Promise<[Views<T>, ...Views<T>[]]> {
  const { report, newcomer } = around;
  const { operation } = sample;
  const isFirst = how === same;
  const amount = how === changed ? sample.amount + 1 : sample.amount;
  // Another process has no memory of the first call, and reports only what the response says.
  const call = (names: readonly string[]) =>
    observe(around, operation, () => create(newcomer(names), requestId, amount));
  const { data, error } = await call([]);
  if (error !== undefined && !isRefusal(error)) {
    if (isOpen(error))
      report.open.push(`${operation}: a second payment may have been made. requestId ${requestId}`);
    const level = isFirst && !(error instanceof RateLimitError) ? 'failure' : 'warning';
    const message = `${operation}: the \`requestId\` ${how} was not checked, so a retry is not shown to be safe: ${briefly(error)}.`;
    note(report, 'idempotency', level, message);
  } else if (error !== undefined && isFirst) await judgeRefusal(around, operation, error, call);
  if (data === undefined) return [views];
  const ids = [views[0], data].map(({ transferDetails }) => transferDetails.id);
  if (ids[0] !== ids[1]) {
    notePaidTwice(around, operation, how, requestId, ids);
    return [views, [data]];
  }
  compare(around, sample, data);
  if (isFirst)
    note(report, 'idempotency', 'ok', `${operation}: a repeated \`requestId\` gets the first record again.`);
  return [[...views, data]];
}

/**
 * Sends one create twice at the same time with the same `requestId`, as a retry does whose first attempt is still under
 * way. The `requestId` differs from that of the first payment in its last digit, as a service may compare less than all.
 *
 * @returns The payments that the service made.
 */
async function createAtOnce<T extends Payment>(
  around: Surroundings,
  sample: Sample,
  firstId: string,
  create: Create<T>,
  [first]: Views<T>,
): Promise<Views<T>[]> {
  const { newcomer, report } = around;
  const { operation } = sample;
  const requestId = firstId.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'));
  const ended = await Promise.all(
    [0, 1].map(() => settledCall(() => create(newcomer([]), requestId, sample.amount))),
  );
  const errors = ended.flatMap(({ error }) => error ?? []);
  const records = ended.flatMap(({ data }) => data ?? []);
  for (const record of records) compare(around, sample, record);
  const ids = [...new Set(records.map(({ transferDetails }) => transferDetails.id))];
  const why = errors.map(briefly).join(' and ');
  const denial = errors.find((error) => isRefusal(error) && error.outcome === 'rejected');
  const isTaken =
    ids.includes(first.transferDetails.id) ||
    (errors.length === 2 && errors.every(({ code }) => ofAnother.includes(code)));
  const isLost = !isTaken && errors.some((error) => isOpen(error) && (ids.length === 0 || !isRefusal(error)));
  if (isLost)
    report.open.push(`${operation}: may have been made, by one of two requests. requestId ${requestId}`);
  const say = (level: Level, message: string) =>
    note(report, 'idempotency', level, `${operation}: ${message}`);
  const two = 'two requests at once with one `requestId`';
  if (ids.length > 1) notePaidTwice(around, operation, 'at once', requestId, ids);
  else if (isTaken)
    say(
      'failure',
      `another \`requestId\`, which differs in the last digit, got the first record${why && ` (${why})`}. The service takes two payments for one, by their content or by a part of the \`requestId\`, so the second payment is not made.`,
    );
  else if (ids.length === 0) say(isLost ? 'failure' : 'warning', `${two} both failed: ${why}.`);
  else if (denial !== undefined)
    say(
      'failure',
      `${two} make one, and one is refused: ${briefly(denial)}. The client reports \`outcome: 'rejected'\`, although the payment exists.`,
    );
  else if (!errors.every(isRefusal)) say('warning', `${two} were not checked, because one failed: ${why}.`);
  else say('ok', `${two} make one.`);
  return ids.flatMap((id) => {
    const [one, ...more] = records.filter(({ transferDetails }) => transferDetails.id === id);
    return one === undefined || id === first.transferDetails.id ? [] : [[one, ...more]];
  });
}

/** The codes of errors about the record of another `requestId`. */
const ofAnother = ['request_id_known', 'response_mismatch'];

function notePaidTwice(
  { report }: Surroundings,
  operation: string,
  how: How | 'at once',
  requestId: string,
  ids: readonly string[],
): void {
  const isChanged = how === changed;
  const second = how === same ? '' : `, the second ${how}`;
  const when = how === 'at once' ? 'for two requests at once' : `for one \`requestId\`${second}`;
  if (!isChanged) report.options.retries = '0 // the service pays again for a repeated requestId';
  const meaning = isChanged
    ? '`resolve` and `reconcile` cannot tell which of them a `requestId` means.'
    : 'Do not use retries of payments with this service: a retry after a timeout pays twice.';
  note(report, 'idempotency', 'failure', `${operation}: the service made two payments ${when}. ${meaning}`, [
    `requestId ${requestId}`,
    ...ids.map((id, index) => `${index === 0 ? 'first' : 'second'}: ${id}`),
  ]);
}

/** Judges the refusal of a `requestId` of which a record exists, in a process without a memory of the first call. */
async function judgeRefusal(
  { report, knownRefusals }: Surroundings,
  operation: string,
  error: APIError,
  call: (names: readonly string[]) => Promise<Observation<unknown>>,
): Promise<void> {
  const how = `${operation}: a repeated \`requestId\` is refused: ${briefly(error)}.`;
  const name = safeWord(error.service.error);
  const isKnown = error.code === 'request_id_known';
  const known = new Set([...knownRefusals, ...(isKnown || name === undefined ? [] : [name])]);
  if (known.size > 0)
    report.options.refusals = `{ known: [${[...known].map((one) => `'${one}'`).join(', ')}] }`;
  if (isKnown) {
    note(report, 'idempotency', 'ok', how);
    return;
  }
  const isUnknown = error.outcome === 'unknown';
  const meaning = `The client reports \`outcome: '${error.outcome}'\`${isUnknown ? '' : ', although the payment exists'}.`;
  const remedy = name === undefined ? nameless : adviceAbout(name, await call([name]));
  note(report, 'idempotency', isUnknown ? 'warning' : 'failure', `${how} ${meaning} ${remedy}`);
}

const nameless =
  'The refusal has no name that can be shown here. If it has one, set the option `refusals` with it.';

/** The advice about a name, after it was tried. */
const adviceAbout = (name: string, { error }: Observation<unknown>): string =>
  error?.code === 'request_id_known'
    ? `Set the option \`refusals\` as printed below: with it the client knows the id. Then run the doctor with --known-refusal ${name}.`
    : `The option \`refusals\` with ${name} does not change that: ${error === undefined ? 'the service accepts the id now' : briefly(error)}.`;
