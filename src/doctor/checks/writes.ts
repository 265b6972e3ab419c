import { APIError, accountIdOf, approvalOf, canRefreshQuote } from 'stablecoin-payments';
import { briefly, type Observation, observe, type Surroundings } from '../probe.ts';
import { note } from '../report.ts';
import { safeWord } from '../shapes.ts';
import { judge } from './reads.ts';

const small = { amount: 1, currency: 'usdc', chain: 'POLYGON' } as const;

/** Walks creates in a sandbox. What moves money waits for an approval, which is rejected at once. */
export async function checkWrites(around: Surroundings): Promise<void> {
  await checkTransfer(around);
  await checkBatchAndBridge(around);
  await checkOnramp(around);
  await checkAccount(around);
}

async function checkTransfer(around: Surroundings): Promise<void> {
  const { client, report, userId } = around;
  const party = { userId };
  const params = {
    ...small,
    requestId: crypto.randomUUID(),
    source: party,
    destination: party,
    requireApproval: true,
  };
  const create = () => client.transfers.create(params);
  const made = await observe(around, 'transfers.create', create);
  if (!judgeWrite(around, 'transfers.create', made) || made.data === undefined) return;

  const again = await observe(around, 'transfers.create', create);
  if (again.error === undefined) {
    note(report, 'idempotency', 'ok', 'A repeated `requestId` gets the first response again.');
  } else if (!(again.error instanceof APIError) || again.error.status >= 500 || again.error.status === 429) {
    note(
      report,
      'idempotency',
      'warning',
      `The second request with the same \`requestId\` failed, so idempotency was not checked: ${briefly(again.error)}.`,
    );
  } else {
    const name = safeWord(again.error.service.error);
    const how = `${briefly(again.error)}${name === undefined ? '' : `, ${name}`}`;
    if (again.error.outcome === 'unknown')
      note(report, 'idempotency', 'ok', `A repeated \`requestId\` is refused: ${how}.`);
    else
      note(
        report,
        'idempotency',
        'failure',
        `A repeated \`requestId\` is refused in a way that the client does not recognize: ${how}. It would report the outcome of a lost payment wrongly.`,
      );
  }
  await reject(around, approvalOf(made.data)?.id);
}

async function checkBatchAndBridge(around: Surroundings): Promise<void> {
  const { client, userId } = around;
  const { amount, currency, chain } = small;
  const source = { userId };
  const batch = await observe(around, 'transfers.createBatch', () =>
    client.transfers.createBatch({
      currency,
      chain,
      source,
      destination: { batch: [{ userId, amount: String(amount) }] },
      requireApproval: true,
    }),
  );
  if (judgeWrite(around, 'transfers.createBatch', batch) && batch.data !== undefined)
    await reject(around, approvalOf(batch.data)?.id);

  const bridge = await observe(around, 'bridges.create', () =>
    client.bridges.create({
      amount,
      source: { userId, chain, currency },
      destination: { userId, chain: 'BASE', currency },
      requireApproval: true,
    }),
  );
  if (judgeWrite(around, 'bridges.create', bridge) && bridge.data !== undefined)
    await reject(around, approvalOf(bridge.data)?.id);
}

async function reject(around: Surroundings, approvalId: string | undefined): Promise<void> {
  const { client, report } = around;
  if (approvalId === undefined) {
    note(
      report,
      'approvals.reject',
      'warning',
      'The created record shows no approval. Reject it in the dashboard, or it stays pending.',
    );
    return;
  }
  const rejected = await observe(around, 'approvals.reject', () =>
    client.approvals.reject(approvalId, { comment: 'created by stablecoin-payments doctor' }),
  );
  judgeWrite(around, 'approvals.reject', rejected);
}

async function checkOnramp(around: Surroundings): Promise<void> {
  const { client, userId } = around;
  const made = await observe(around, 'onramps.create', () =>
    client.onramps.create({
      source: { userId, currency: 'usd', amount: 10, transferType: 'ach' },
      destination: { userId, currency: 'usdc', chain: 'POLYGON' },
    }),
  );
  if (!judgeWrite(around, 'onramps.create', made) || made.data === undefined) return;
  const { data } = made;
  if (!canRefreshQuote(data)) return;
  const refreshed = await observe(around, 'onramps.refreshQuote', () =>
    client.onramps.refreshQuote(data.transferDetails.id),
  );
  judgeWrite(around, 'onramps.refreshQuote', refreshed);
}

async function checkAccount(around: Surroundings): Promise<void> {
  const { client, userId } = around;
  const made = await observe(around, 'accounts.create', () =>
    client.accounts.create(userId, {
      rail: 'onramp',
      type: 'us',
      accountHolder: {
        type: 'individual',
        name: 'Ada Example',
        phone: '+15550100',
        email: 'ada@example.com',
        address: {
          addressLine1: '1 Example Street',
          city: 'Austin',
          stateProvinceRegion: 'TX',
          postalCode: '78701',
          country: 'USA',
        },
      },
      us: {
        transferType: 'ach',
        accountType: 'checking',
        accountNumber: '000123456789',
        routingNumber: '021000021',
        bankName: 'Example Bank',
        currency: 'usd',
      },
    }),
  );
  if (!judgeWrite(around, 'accounts.create', made) || made.data === undefined) return;
  const accountId = accountIdOf(made.data);
  judgeWrite(
    around,
    'accounts.delete',
    await observe(around, 'accounts.delete', () => client.accounts.delete(userId, accountId)),
  );
}

/** As for reads, but a refusal of the sample data says nothing about the client. */
function judgeWrite(around: Surroundings, operation: string, observation: Observation<unknown>): boolean {
  const { error } = observation;
  if (error instanceof APIError && error.status < 500 && error.status !== 429) {
    const name = safeWord(error.service.error);
    note(
      around.report,
      operation,
      'warning',
      `The service refuses the sample: HTTP ${error.status}${name === undefined ? '' : `, ${name}`}. Try it with data of your own.`,
    );
    return false;
  }
  return judge(around, operation, observation);
}
