import { isPaymentsError, type PaymentsClient, RateLimitError } from 'stablecoin-payments';
import { valueAt } from '../../shared/values.ts';
import { briefly, type Observation, observe, type Surroundings } from '../observed-call.ts';
import { note, safeWord } from '../report.ts';
import { isRefusal, judgeWrite } from './judge.ts';
import { compare, type Payment, type Sample, sampleDifferences, type Views } from './sample.ts';

/** Names of a known `requestId` that the client recognizes without an option. */
const documented = ['TRANSACTION_REQUEST_ALREADY_EXISTS', 'RESOURCE_CONFLICT'];

/**
 * Sends one create twice with the same `requestId` and compares the records.
 *
 * @returns The payments that the service made. More than one is the gravest failure there is.
 */
export async function createTwice<T extends Payment>(
  around: Surroundings,
  sample: Sample,
  requestId: string,
  create: (client: PaymentsClient, requestId: string) => Promise<T>,
): Promise<Views<T>[]> {
  const { report } = around;
  const { operation } = sample;
  const call = (client: PaymentsClient) => observe(around, operation, () => create(client, requestId));
  const first = await call(around.client);
  const isMade = judgeWrite(around, operation, first) && first.data !== undefined;
  if (!isMade && (first.error?.outcome === 'unknown' || first.error?.outcome === 'succeeded'))
    report.open.push(`${operation}: may have been made. requestId ${requestId}`);
  if (!isMade) return [];
  const made: Views<T>[] = [[first.data]];
  compare(around, sample, first.data);
  const isKeyShown = valueAt(first.data, 'transferDetails.requestId') === requestId;
  if (!isKeyShown) note(report, operation, 'warning', withoutKey);

  // Another process has no memory of the first call, and reports only what the response says.
  const second = await call(around.newcomer([]));
  if (second.error !== undefined) {
    await judgeRefusal(around, sample, second, requestId, call);
    return made;
  }
  if (second.data === undefined) return made;
  const [one, other] = [first.data.transferDetails.id, second.data.transferDetails.id];
  if (one !== other) {
    made.push([second.data]);
    notePaidTwice(around, operation, 'for one `requestId`', { requestId, ids: [one, other] });
    return made;
  }
  const changed = sampleDifferences(sample, second.data);
  if (changed.length > 0)
    note(
      report,
      'idempotency',
      'failure',
      `${operation}: the second response differs from the request.`,
      changed,
    );
  else
    note(report, 'idempotency', 'ok', `${operation}: a repeated \`requestId\` gets the first record again.`);
  return [[first.data, second.data]];
}

const withoutKey =
  'The record does not show its `requestId`. `resolve` and `reconcile` cannot tell which payment it is.';

/**
 * Sends the `requestId` of a payment once more: with another amount, or after the payment was rejected. The service may
 * refuse that, and must not make another payment.
 *
 * @returns The payments, with what the response shows.
 */
export async function sendAgain<T extends Payment>(
  around: Surroundings,
  sample: Sample,
  made: Views<T>[],
  { requestId, isChanged }: { requestId: string; isChanged: boolean },
  create: (client: PaymentsClient) => Promise<T>,
): Promise<Views<T>[]> {
  const { operation } = sample;
  const [views, ...others] = made;
  const { data, error } = await observe(around, operation, () => create(around.newcomer([])));
  if (error !== undefined && !isRefusal(error)) {
    const what = isChanged ? 'with another amount' : 'of a rejected payment';
    const message = `${operation}: the \`requestId\` ${what} was not checked: ${briefly(error)}.`;
    note(around.report, 'idempotency', 'warning', message);
  }
  if (views === undefined || data === undefined) return made;
  const ids = [views[0], data].map(({ transferDetails }) => transferDetails.id);
  if (ids[0] === ids[1]) {
    compare(around, sample, data);
    return [[...views, data], ...others];
  }
  if (isChanged) {
    const message = `${operation}: the service made two payments for one \`requestId\`, the second with another amount. \`resolve\` and \`reconcile\` cannot tell which of them a \`requestId\` means.`;
    note(around.report, 'idempotency', 'failure', message, [`requestId ${requestId}`, ...ids]);
  } else {
    const when = 'for one `requestId`, the second after the first was rejected';
    notePaidTwice(around, operation, when, { requestId, ids });
  }
  return [...made, [data]];
}

/**
 * Sends one create twice at the same time with the same `requestId`, as a retry does whose first attempt is still under
 * way.
 *
 * @param earlier - The payments that the service made of the same sample under another `requestId`.
 * @returns The payments that the service made.
 */
export async function createAtOnce<T extends Payment>(
  around: Surroundings,
  { operation }: Sample,
  create: (client: PaymentsClient, requestId: string) => Promise<T>,
  earlier: readonly Views<T>[],
): Promise<Views<T>[]> {
  const { newcomer, report } = around;
  const requestId = crypto.randomUUID();
  const ended = await Promise.all(
    [0, 1].map(async () => {
      try {
        return { record: await create(newcomer([]), requestId) };
      } catch (error) {
        if (!isPaymentsError(error)) throw error;
        return { error };
      }
    }),
  );
  const errors = ended.flatMap(({ error }) => error ?? []);
  const denial = errors.find((error) => error.outcome === 'rejected' && !(error instanceof RateLimitError));
  const records = ended.flatMap(({ record }) => record ?? []);
  const ids = [...new Set(records.map(({ transferDetails }) => transferDetails.id))];
  const two = `${operation}: two requests at once with one \`requestId\``;
  if (records.length === 0) {
    const isOpen = errors.some(({ outcome }) => outcome !== 'rejected');
    if (isOpen)
      report.open.push(`${operation}: may have been made, by one of two requests. requestId ${requestId}`);
    const why = errors.map(briefly).join(' and ');
    note(report, 'idempotency', isOpen ? 'failure' : 'warning', `${two} both failed: ${why}.`);
  } else if (ids.length > 1) notePaidTwice(around, operation, 'for two requests at once', { requestId, ids });
  else if (earlier.some(([{ transferDetails }]) => ids.includes(transferDetails.id))) {
    const message = `${operation}: another \`requestId\` got the first record. The service takes two payments with the same content for one, so the second payment is not made.`;
    note(report, 'idempotency', 'failure', message);
    return [];
  } else if (denial !== undefined) {
    const message = `${two} make one, and one is refused: ${briefly(denial)}. The client reports \`outcome: 'rejected'\`, although the payment exists.`;
    note(report, 'idempotency', 'failure', message);
  } else note(report, 'idempotency', 'ok', `${two} make one.`);
  return ids.flatMap((id) => {
    const [first, ...more] = records.filter(({ transferDetails }) => transferDetails.id === id);
    return first === undefined ? [] : [[first, ...more]];
  });
}

function notePaidTwice(
  { report }: Surroundings,
  operation: string,
  when: string,
  { requestId, ids }: { requestId: string; ids: readonly string[] },
): void {
  report.options.retries = '0 // the service pays again for a repeated requestId';
  note(
    report,
    'idempotency',
    'failure',
    `${operation}: the service made two payments ${when}. Do not use retries of payments with this service: a retry after a timeout pays twice.`,
    [`requestId ${requestId}`, ...ids.map((id, index) => `${index === 0 ? 'first' : 'second'}: ${id}`)],
  );
}

/** Judges the refusal of a `requestId` of which a record exists, in a process without a memory of the first call. */
async function judgeRefusal(
  around: Surroundings,
  { operation }: Sample,
  { error, status }: Observation<unknown>,
  requestId: string,
  call: (client: PaymentsClient) => Promise<Observation<unknown>>,
): Promise<void> {
  const { report, newcomer, knownRefusals } = around;
  if (error === undefined) return;
  if (status === 429) {
    const why = 'not checked, because the service limits the rate (HTTP 429).';
    note(report, 'idempotency', 'warning', `${operation}: ${why}`);
    return;
  }
  if (!isRefusal(error)) {
    report.open.push(`${operation}: a second payment may have been made. requestId ${requestId}`);
    const why = 'the second request with the same `requestId` failed, so a retry is not shown to be safe';
    note(report, 'idempotency', 'failure', `${operation}: ${why}: ${briefly(error)}.`);
    return;
  }
  const how = `${operation}: a repeated \`requestId\` is refused: ${briefly(error)}.`;
  const name = safeWord(error.service.error);
  if (name !== undefined && !documented.includes(name)) {
    const known = [...new Set([...knownRefusals, name])];
    report.options.refusals = `{ known: [${known.map((one) => `'${one}'`).join(', ')}] }`;
  }
  if (error.code === 'request_id_known') {
    note(report, 'idempotency', 'ok', how);
    return;
  }
  const isUnknown = error.outcome === 'unknown';
  const meaning = `The client reports \`outcome: '${error.outcome}'\`${isUnknown ? '' : ', although the payment exists'}.`;
  const remedy = name === undefined ? nameless : await adviceAbout(name, await call(newcomer([name])));
  note(report, 'idempotency', isUnknown ? 'warning' : 'failure', `${how} ${meaning} ${remedy}`);
}

const nameless =
  'The refusal has no name that can be shown here. If it has one, set the option `refusals` with it.';

/** The advice about a name, after it was tried. */
const adviceAbout = (name: string, { error }: Observation<unknown>): string =>
  error?.code === 'request_id_known'
    ? `Set the option \`refusals\` as printed below: with it the client knows the id. Then run the doctor with --known-refusal ${name}.`
    : `The option \`refusals\` with ${name} does not change that: ${error === undefined ? 'the service accepts the id now' : briefly(error)}.`;
