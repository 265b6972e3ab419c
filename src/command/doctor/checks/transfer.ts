import {
  type APIError,
  approvalOf,
  isPaymentsError,
  type PaymentsClient,
  type PaymentsError,
  requestIdFrom,
  type Transfer,
  type TransferApproval,
} from 'stablecoin-payments';
import { briefly, type Observation, observe, type Surroundings, settledCall } from '../observed-call.ts';
import { safeWord } from '../report.ts';
import { isRefusal, judge, judgeWrite, levelOf, noteRefusal } from './judge.ts';

const transferOperation = 'transfers.create';

/** The transfers of one `requestId`, which are closed at the end. */
interface Sent {
  readonly requestId: string;
  readonly made: Transfer[];
  /** True while a response is missing that may have made a transfer. */
  isOpen: boolean;
}

/**
 * Creates two transfers in a sandbox that need approval, each under a `requestId` of another version of UUID. One is sent
 * again afterwards, the other one twice at the same time. At the end, and after Ctrl-C, both are rejected. The first
 * transfer that does not wait for its approval ends the check.
 */
export async function checkTransfer(around: Surroundings): Promise<void> {
  const sent: Sent[] = [];
  try {
    await sendAll(around, sent);
  } finally {
    around.wire.isClosing = true;
    for (const one of sent) await close(around, one);
    around.wire.isClosing = false;
  }
}

async function sendAll(around: Surroundings, sent: Sent[]): Promise<void> {
  const newKey = (requestId: string): Sent => {
    const one = { requestId, made: [], isOpen: false };
    sent.push(one);
    return one;
  };
  const random = newKey(crypto.randomUUID());
  const derived = newKey(requestIdFrom('doctor', crypto.randomUUID()));
  let main = random;
  let first = await sendTransfer(around, random);
  const { error } = first;
  if (isAboutContent(error)) {
    main = derived;
    first = await sendTransfer(around, derived);
    if (first.data !== undefined) noteVersion(around, error, 4);
  }
  const made = first.data;
  if (!judgeWrite(around, transferOperation, first) || made === undefined)
    return around
      .on('idempotency')
      .warning('Not checked, because the service returned no record of a payment.');
  if (!(await isHeld(around, made)) || !(await sendTransferAgain(around, main))) return;
  const isNewVersion = main === random;
  await sendAtOnce(
    around,
    isNewVersion ? derived : newKey(requestIdFrom('doctor', main.requestId)),
    isNewVersion,
  );
}

/** Sends the sample payment under a key, and keeps what it made for the end. */
async function sendTransfer(around: Surroundings, sent: Sent): Promise<Observation<Transfer>> {
  const wasOpen = sent.isOpen;
  sent.isOpen = true;
  const result = await observe(around, transferOperation, () => createCheckedTransfer(around, sent));
  sent.isOpen = wasOpen || mayHaveMade(result.error);
  return result;
}

async function createCheckedTransfer(
  { client, options }: Surroundings,
  { requestId, made }: Sent,
): Promise<Transfer> {
  const { userId, to = userId, amount } = options;
  const transfer = await client.transfers.create({
    requestId,
    source: { userId },
    destination: to.startsWith('0x') ? { walletAddress: to } : { userId: to },
    amount,
    currency: 'usdc',
    chain: 'POLYGON',
    requireApproval: true,
  });
  if (!made.some((one) => idOfTransfer(one) === idOfTransfer(transfer))) made.push(transfer);
  return transfer;
}

const idOfTransfer = ({ transferDetails }: Transfer): string => transferDetails.id;

/** A refusal of what the request contains, as opposed to one of the caller. It may be about the form of the key. */
const isAboutContent = (error: PaymentsError | undefined): error is APIError =>
  isRefusal(error) && ![401, 403].includes(error.status);

/** Returns true if the call may have made a transfer that nobody has seen. A 4xx of a new key is taken for a refusal. */
const mayHaveMade = (error: PaymentsError | undefined): boolean =>
  error !== undefined && !isRefusal(error) && error.outcome !== 'rejected' && error.outcome !== 'not-sent';

function noteVersion(around: Surroundings, error: APIError, version: 4 | 5): void {
  noteRefusal(around, transferOperation, error, false);
  around
    .on(transferOperation)
    .failure(
      `The service refuses a \`requestId\` that is a UUID of version ${version}: ${briefly(error)}. The client makes version 4, and \`requestIdFrom\` version 5.`,
    );
}

/**
 * Sends a key of which the service has a record.
 *
 * @returns False if the service made another transfer.
 */
async function sendTransferAgain(around: Surroundings, sent: Sent): Promise<boolean> {
  const { report, options, seen } = around;
  // A restarted process: the client that sent the key would call every refusal `unknown`.
  const { data, error } = await sendTransfer({ ...around, client: around.restarted() }, sent);
  const say = around.on('idempotency');
  if (sent.made.length > 1) return notePaidTwice(around, sent, 'one `requestId`');
  if (data !== undefined) {
    seen.repeated = 'replay';
    say.ok('A repeated `requestId` gets the first record again.');
  } else if (isRefusal(error)) {
    noteRefusal(around, transferOperation, error, true);
    const name = safeWord(error.service.error);
    seen.repeated = { status: error.status, name };
    const isKnown = error.code === 'request_id_known';
    const known = new Set([...options.knownRefusals, ...(isKnown || name === undefined ? [] : [name])]);
    if (known.size > 0)
      report.options.refusals = `{ known: [${[...known].map((one) => `'${one}'`).join(', ')}] }`;
    const how = `A repeated \`requestId\` is refused: ${briefly(error)}.`;
    const remedy =
      name === undefined
        ? 'It has no name that can be shown here: set the option `refusals` with a function that returns "known" for it.'
        : `Set the option \`refusals\` as printed below, and run the doctor again with --known-refusal ${name}.`;
    if (isKnown) say.ok(how);
    else if (error.outcome === 'rejected') say.failure(`${how} ${refusedMeans} ${remedy}`);
    else say.warning(`${how} The client reports that the payment may exist. ${remedy}`);
  } else if (error !== undefined) {
    const what = 'The `requestId` sent again was not checked, so a retry is not shown to be safe';
    say[levelOf(around)](`${what}: ${briefly(error)}.`);
    if (mayHaveMade(error))
      report.open.push(
        `${transferOperation}: a second payment may have been made. requestId ${sent.requestId}`,
      );
  }
  return true;
}

const refusedMeans = 'The client reports the payment as `rejected`, although the payment exists.';

/** Sends a new key twice at the same time, as a retry does whose first attempt is still under way. */
async function sendAtOnce(around: Surroundings, sent: Sent, isNewVersion: boolean): Promise<void> {
  around.wire.stop.throwIfAborted();
  sent.isOpen = true;
  // Two processes: neither client may know of the call of the other one.
  const clients = [around.restarted(), around.restarted()];
  const both = await Promise.all(
    clients.map((client) =>
      settledCall(around.wire, () => createCheckedTransfer({ ...around, client }, sent)),
    ),
  );
  const errors = both.flatMap(({ error }) => error ?? []);
  sent.isOpen = sent.made.length === 0 && errors.some(mayHaveMade);
  if (errors.length > 0) around.wire.stop.throwIfAborted();
  const why = errors.map(briefly).join(' and ');
  const say = around.on('idempotency');
  const two = 'Two requests at once with one `requestId`';
  const [made, second] = sent.made;
  if (second !== undefined) return void notePaidTwice(around, sent, 'two requests at once');
  if (made === undefined && errors.every(isAboutContent)) {
    const alone = await sendTransfer(around, sent);
    if (isNewVersion && isAboutContent(alone.error)) noteVersion(around, alone.error, 5);
    else if (judgeWrite(around, transferOperation, alone)) say.warning(`${two} are both refused: ${why}.`);
    return;
  }
  for (const error of errors) if (isRefusal(error)) noteRefusal(around, transferOperation, error, true);
  if (made === undefined) say[sent.isOpen ? 'failure' : 'warning'](`${two} both failed: ${why}.`);
  else if (!(await isHeld(around, made))) return;
  else if (errors.some((error) => isRefusal(error) && error.outcome === 'rejected'))
    say.failure(`${two} make one, and one is refused: ${why}. ${refusedMeans}`);
  else if (!errors.every(isRefusal)) say.warning(`${two} were not checked, because one failed: ${why}.`);
  else say.ok(`${two} make one${why === '' ? '' : `; the other one gets ${why}`}.`);
}

function notePaidTwice({ report, on }: Surroundings, { requestId, made }: Sent, what: string): false {
  report.options.retries = '0 // the service pays again for a repeated requestId';
  on('idempotency').failure(
    `The service made two payments for ${what}. Do not use retries of payments with this service: a retry after a timeout pays twice.`,
    [`requestId ${requestId}`, ...made.map((one) => `transfer ${idOfTransfer(one)}`)],
  );
  return false;
}

/** Returns false if a transfer was made that does not wait for an approval. */
async function isHeld(around: Surroundings, made: Transfer): Promise<boolean> {
  const { id, status } = made.transferDetails;
  const approval = await approvalFor(around, made);
  if (approval?.status === 'PENDING') return true;
  const message =
    status === 'PENDING_APPROVAL'
      ? 'The service holds the transfer, but neither the record nor the list shows its approval. Reject it in the dashboard.'
      : `The service ignores \`requireApproval\`: it made the transfer without an approval, and its status is ${safeWord(status) ?? 'not a known one'}.`;
  around
    .on(transferOperation)
    .failure(`${message} The doctor sends no further payment here.`, [`transfer ${id}`]);
  return false;
}

/** The approval of a transfer, in its record or in the list. */
async function approvalFor(
  { client }: Surroundings,
  made: Transfer,
): Promise<Pick<TransferApproval, 'id' | 'status'> | undefined> {
  return (
    approvalOf(made) ??
    (await pendingApprovals(client)).find(({ transferId }) => transferId === idOfTransfer(made))
  );
}

/** The pending approvals, at most a thousand; none if the list cannot be read. */
async function pendingApprovals(client: PaymentsClient): Promise<TransferApproval[]> {
  try {
    const approvals = await client.approvals.list({ limit: 100 }).toArray({ limit: 1000 });
    return approvals.filter(({ status }) => status === 'PENDING');
  } catch (error) {
    if (isPaymentsError(error)) return [];
    throw error;
  }
}

/** Rejects the transfers of a key, and lists what may still be paid. */
async function close(around: Surroundings, { requestId, made, isOpen }: Sent): Promise<void> {
  const { client, report, on, options } = around;
  if (isOpen && made.length === 0)
    report.open.push(`${transferOperation}: may have been made. requestId ${requestId}`);
  for (const one of made) {
    const { id, status } = one.transferDetails;
    const approval = await approvalFor(around, one);
    if (approval?.status !== 'PENDING') {
      const pays = `${options.amount} usdc from the user ${options.userId} to ${options.to ?? 'the same user'}`;
      report.open.push(
        `transfer ${id}: not held for an approval (${safeWord(status) ?? 'unknown'}), pays ${pays}`,
      );
      continue;
    }
    const rejected = await observe(around, 'approvals.reject', () =>
      client.approvals.reject(approval.id, { comment: 'created by stablecoin-payments doctor' }),
    );
    const isDone = judge(around, 'approvals.reject', rejected) && rejected.data?.status === 'REJECTED';
    const isKept = (await pendingApprovals(client)).some((other) => other.id === approval.id);
    if (rejected.data !== undefined && (!isDone || isKept))
      on('approvals.reject').failure('The rejection does not say REJECTED, or its approval stays PENDING.');
    if (!isDone || isKept)
      report.open.push(`transfer ${id}: its approval ${approval.id} may still be pending`);
  }
}
