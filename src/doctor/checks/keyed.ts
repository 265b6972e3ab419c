import { APIError } from 'stablecoin-payments';
import { briefly, type Observation, observe, type Surroundings } from '../probe.ts';
import { note } from '../report.ts';
import { safeWord } from '../shapes.ts';
import { judgeWrite } from './judge.ts';
import { differencesOf, type Sample } from './sample.ts';

/** The part that all records of payments share. */
export interface Payment {
  readonly transferDetails: { readonly id: string; readonly status: string };
}

/** Names of a known `requestId` that the client recognizes without an option. */
const documented = ['TRANSACTION_REQUEST_ALREADY_EXISTS', 'RESOURCE_CONFLICT'];

/**
 * Sends one create twice with the same `requestId` and compares the records.
 *
 * @returns The records that the service made, each once. More than one is the gravest failure there is.
 */
export async function createTwice<T extends Payment>(
  around: Surroundings,
  sample: Sample,
  create: (requestId: string) => Promise<T>,
): Promise<T[]> {
  const { report } = around;
  const { operation } = sample;
  const requestId = crypto.randomUUID();
  const call = () => observe(around, operation, () => create(requestId));
  const first = await call();
  const isMade = judgeWrite(around, operation, first) && first.data !== undefined;
  if (!isMade && (first.error?.outcome === 'unknown' || first.error?.outcome === 'succeeded'))
    report.open.push(`${operation}: may have been made. requestId ${requestId}`);
  if (!isMade) return [];
  const made = [first.data];
  compare(around, sample, first.data);

  const second = await call();
  if (second.error !== undefined) {
    judgeRefusal(around, sample, second, requestId);
    return made;
  }
  if (second.data === undefined) return made;
  const [one, other] = [first.data.transferDetails.id, second.data.transferDetails.id];
  if (one !== other) {
    made.push(second.data);
    report.options.retries = '0 // the service pays again for a repeated requestId';
    note(
      report,
      'idempotency',
      'failure',
      `${operation}: the service made two payments for one \`requestId\`. Do not use retries of payments with this service: a retry after a timeout pays twice.`,
      [`requestId ${requestId}`, `first: ${one}`, `second: ${other}`],
    );
    return made;
  }
  const changed = differencesOf(sample, second.data);
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
  return made;
}

function compare({ report }: Surroundings, sample: Sample, record: Payment): void {
  const changed = differencesOf(sample, record);
  if (changed.length > 0)
    note(report, sample.operation, 'failure', 'The service did not make what was asked for.', changed);
}

/** Judges the refusal of a `requestId` of which a record exists. */
function judgeRefusal(
  { report }: Surroundings,
  { operation }: Sample,
  { error, status }: Observation<unknown>,
  requestId: string,
): void {
  if (error === undefined) return;
  if (status === 429) {
    const why = 'not checked, because the service limits the rate (HTTP 429).';
    note(report, 'idempotency', 'warning', `${operation}: ${why}`);
    return;
  }
  if (!(error instanceof APIError) || error.status >= 500 || error.status < 400) {
    report.open.push(`${operation}: a second payment may have been made. requestId ${requestId}`);
    const why = 'the second request with the same `requestId` failed, so a retry is not shown to be safe';
    note(report, 'idempotency', 'failure', `${operation}: ${why}: ${briefly(error)}.`);
    return;
  }
  const how = `${operation}: a repeated \`requestId\` is refused: ${briefly(error)}.`;
  const name = safeWord(error.service.error);
  if (name !== undefined && !documented.includes(name)) report.options.refusals = `{ known: ['${name}'] }`;
  if (error.code === 'request_id_known') {
    note(report, 'idempotency', 'ok', how);
    return;
  }
  const remedy =
    name === undefined
      ? 'The refusal has no name, so no option can teach it to the client.'
      : 'Set the option `refusals` as printed below.';
  if (error.outcome === 'unknown')
    note(report, 'idempotency', 'warning', `${how} The client reports \`outcome: 'unknown'\`. ${remedy}`);
  else
    note(
      report,
      'idempotency',
      'failure',
      `${how} The client reports \`outcome: '${error.outcome}'\`, although the payment exists. ${remedy}`,
    );
}
