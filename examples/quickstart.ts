/**
 * Calls every operation of the client, against the emulator, over a real socket.
 * Run it with `npm run quickstart`. The exit status is 0 only if every step succeeds.
 */
import {
  accountIdOf,
  approvalExpiresAt,
  approvalOf,
  canRefreshQuote,
  isPaymentsError,
  NotFoundError,
  PaymentsClient,
  quoteExpiresAt,
  redact,
  requestIdFrom,
} from 'stablecoin-payments';
import { startEmulatorServer } from 'stablecoin-payments/emulator/node';
import { playTwoWeeks } from './quickstart/business.ts';
import { chart, done, expect, fact, step, waiting } from './quickstart/terminal.ts';

const twoWeeks = 14 * 24 * 60 * 60 * 1000;
const server = await startEmulatorServer({
  clock: { start: Date.now() - twoWeeks },
  token: 'quickstart-token',
  accountValidation: '2s',
});
const { emulator } = server;
const operations = new Set<string>();
let requests = 0;

const payments = new PaymentsClient({
  baseUrl: server.url,
  accessToken: 'quickstart-token',
  deadline: 30_000,
  hooks: {
    response: ({ operation, status }) => {
      requests += 1;
      if (status < 300) operations.add(operation);
    },
  },
});

try {
  console.log(`The emulator listens at ${server.url}; the client talks to it as it would to the service.`);
  await walk();
} finally {
  await server.close();
}

async function walk(): Promise<void> {
  const { userId } = emulator.createUser({ rails: ['usd', 'africa'], externalWallets: 45 });
  const payee = emulator.createUser({ rails: ['usd'] }).userId;

  step('Register a mobile-money account in Uganda and wait until it is active');
  const accountHolder = {
    type: 'individual',
    name: 'Amina Okello',
    phone: '+256700000000',
    email: 'amina@example.com',
    address: {
      addressLine1: '1 Kampala Road',
      city: 'Kampala',
      stateProvinceRegion: 'Central',
      postalCode: '00000',
      country: 'UGA',
    },
  } as const;
  const account = await payments.accounts.create(userId, {
    rail: 'onramp',
    type: 'africa',
    accountHolder,
    africa: {
      financialInstitute: 'MTN',
      accountType: 'momo',
      accountNumber: '256700000000',
      currency: 'ugx',
      country: 'uga',
    },
  });
  const accountId = accountIdOf(account);
  fact('account', accountId);
  fact('status', account.status);
  const active = await waiting('the service validates the account', () =>
    payments.accounts.waitUntilActive(userId, accountId, { interval: 250, deadline: 10_000 }),
  );
  expect(active.status === 'ACTIVE', 'the account is ACTIVE');

  step('Create an onramp from that account and refresh its quote');
  const quoted = await payments.onramps.create({
    purposeOfPayment: 'other',
    source: { userId, currency: 'ugx', amount: 500_000, accountId },
    destination: { userId, currency: 'usdc', chain: 'POLYGON' },
  });
  const { id, quoteInformation: quote } = quoted.transferDetails;
  fact('status', quoted.transferDetails.status);
  fact('sends', `${quote?.sendGross?.amount} ${quote?.sendGross?.currency}`);
  fact('receives', `${quote?.receiveNet?.amount} ${quote?.receiveNet?.currency} at ${quote?.rate}`);
  expect(canRefreshQuote(quoted), 'its quote may be refreshed');
  emulator.clock.advance('5m');
  const refreshed = await payments.onramps.refreshQuote(id);
  const [before, after] = [quoteExpiresAt(quoted), quoteExpiresAt(refreshed)];
  fact('quote held until', before?.toISOString());
  fact('now until', after?.toISOString());
  expect(before !== null && after !== null && after > before, 'the refreshed quote holds for longer');

  step('Create a one-time USD onramp and read its deposit instructions');
  const oneTime = await payments.onramps.create({
    source: { userId, currency: 'usd', amount: 1_200, transferType: 'ach' },
    destination: { userId, currency: 'usdc', chain: 'POLYGON' },
  });
  const deposit = oneTime.transferDetails.depositInfo;
  fact('status', oneTime.transferDetails.status);
  fact('pay to', `${deposit?.beneficiary?.name}, ${deposit?.bankName}`);
  fact('reference', deposit?.reference);
  fact('pay by', deposit?.depositBy);
  expect(typeof deposit?.reference === 'string', 'the instructions carry the reference for the memo');

  step('The bank pays in');
  const funded = emulator.simulateDeposit(oneTime.transferDetails.id);
  fact('status', funded.transferDetails.status);
  emulator.clock.advance('1m');
  const settled = emulator.state().onramps.find((onramp) => onramp.id === oneTime.transferDetails.id);
  fact('transaction', settled?.transferDetails.receipt.transactionHash);
  expect(settled?.transferDetails.status === 'COMPLETED', 'the onramp is COMPLETED');

  step('Send stablecoins: transfers that need approval');
  const transfer = await payments.transfers.create({
    requestId: requestIdFrom('quickstart', 'invoice', 42),
    source: { userId },
    destination: { userId: payee },
    amount: 120,
    currency: 'usdc',
    chain: 'POLYGON',
    requireApproval: true,
  });
  const approval = approvalOf(transfer);
  fact('transfer', `${transfer.transferType} ${transfer.transferDetails.status}`);
  fact('lapses', approval && approvalExpiresAt(approval)?.toISOString());
  expect(transfer.transferDetails.status === 'PENDING_APPROVAL', 'the transfer waits for approval');
  await payments.transfers.createBatch({
    source: { userId },
    destination: {
      batch: [
        { userId: payee, amount: '10' },
        { userId: payee, amount: '15' },
      ],
    },
    currency: 'usdc',
    chain: 'POLYGON',
    requireApproval: true,
  });
  await payments.bridges.create({
    source: { userId, chain: 'POLYGON', currency: 'usdc' },
    destination: { userId, chain: 'BASE', currency: 'usdc' },
    amount: 50,
    requireApproval: true,
  });
  const bank = await payments.accounts.create(userId, {
    rail: 'offramp',
    type: 'us',
    accountHolder,
    us: {
      transferType: 'ach',
      accountType: 'checking',
      accountNumber: '000123456789',
      routingNumber: '021000021',
      bankName: 'Example Bank',
      currency: 'usd',
    },
  });
  emulator.validateAccount(accountIdOf(bank), { status: 'ACTIVE' });
  const offramp = await payments.offramps.create({
    source: { userId, currency: 'usdc', chain: 'POLYGON', amount: 80 },
    destination: { userId, currency: 'usd', accountId: accountIdOf(bank) },
    requireApproval: true,
  });
  done('a batch, a bridge and an offramp wait as well');

  step('Decide what is pending: approve all but the offramp');
  for await (const pending of payments.approvals.list({ limit: 2 })) {
    const isOfframp = pending.transferId === offramp.transferDetails.id;
    const { status } = isOfframp
      ? await payments.approvals.reject(pending.id, { comment: 'not this month' })
      : await payments.approvals.approve(pending.id, { comment: 'checked' });
    fact(pending.transferType, status);
  }
  const left = await payments.approvals.list();
  expect(left.items.length === 0, 'nothing is pending any more');
  const executed = emulator.state().transfers.find(({ id }) => id === transfer.transferDetails.id);
  expect(executed?.transferDetails.status === 'COMPLETED', 'the approved transfer is COMPLETED');

  step('Execute a metric and draw it');
  await waiting('two weeks of business go by', (progress) =>
    playTwoWeeks(payments, emulator, userId, progress),
  );
  const metric = emulator.createMetric({ name: 'Daily volume', calculationInterval: 'day' });
  const { data, metadata } = await payments.reporting.retrieveResults<never, 'grossVolume'>(metric.id);
  chart(
    data.slice(-15).map((point) => ({ label: point.periodStart.slice(0, 10), value: point.grossVolume })),
  );
  fact('template', `${metadata.template} by ${metadata.calculationInterval}`);
  fact('periods', `${metadata.recordCount}, of which ${metadata.filledCount} were empty and filled in`);
  expect(
    data.some(({ grossVolume }) => grossVolume > 0),
    'the dataset shows what happened',
  );

  step('Read a KYC record, redacted for print');
  const kyc = await payments.kyc.retrieve(userId);
  const shown = redact(kyc);
  for (const name of ['type', 'firstName', 'nationality', 'dateOfBirth'] as const)
    fact(name, shown.kycInfo[name]);
  expect(!JSON.stringify(shown).includes(String(kyc.kycInfo.lastName)), 'no name is printed');

  step('Page through external wallets');
  let pages = 0;
  let wallets = 0;
  for await (const page of payments.externalWallets.list(userId, { limit: 20 }).pages()) {
    pages += 1;
    wallets += page.items.length;
    fact(
      `page ${pages}`,
      `${page.items.length} wallets, the first at ${page.items[0]?.address.slice(0, 14)}…`,
    );
  }
  expect(wallets === 45, `${wallets} wallets came on ${pages} pages`);

  step('List and delete accounts; handle a typed error');
  const accounts = await payments.accounts.list(userId, { rail: 'onramp' }).toArray();
  fact('accounts', accounts.map((one) => `${accountIdOf(one).slice(0, 8)}… ${one.status}`).join(', '));
  await payments.accounts.delete(userId, accountId);
  const error = await payments.accounts.retrieve(userId, accountId).then(
    () => undefined,
    (caught: unknown) => caught,
  );
  if (!isPaymentsError(error)) throw new Error('expected that a deleted account cannot be retrieved');
  fact('error', error.name);
  fact('outcome', error.outcome);
  fact('the service says', error instanceof NotFoundError ? error.service.code : undefined);
  expect(
    error instanceof NotFoundError,
    'the deleted account is not found, and the error says so by its class',
  );

  step('What was used');
  for (const operation of [...operations].sort()) done(operation);
  expect(operations.size === 16, `all 16 operations of the service responded, in ${requests} requests`);
}
