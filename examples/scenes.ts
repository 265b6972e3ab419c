import {
  accountIdOf,
  PaymentsClient,
  requestIdFrom,
  type Transfer,
  transfersFrom,
} from 'stablecoin-payments';
import { createEmulator } from 'stablecoin-payments/emulator';
import { buyWithMobileMoney } from './africa-mobile-money.ts';
import { approvalsInbox } from './approvals-inbox.ts';
import { payOut } from './batch-payout.ts';
import { closeDay, dayBefore, type OwnRow } from './daily-close.ts';
import { payInvoice } from './lambda-handler.ts';
import { reportOf } from './metric-report.ts';
import { tenantClients } from './multi-tenant.ts';
import { keepFresh, quote } from './onramp-refreshed-quote.ts';
import { memoryRows } from './payment-rows.ts';

/** What each example gets: an emulator with one user, and a client that calls it. */
function stage() {
  const emulator = createEmulator({ accountValidation: 0 });
  const { userId } = emulator.createUser({ rails: ['usd', 'africa'] });
  const payments = new PaymentsClient({
    baseUrl: 'http://localhost',
    accessToken: 'any',
    fetch: emulator.fetch,
  });
  return { emulator, payments, userId };
}

/** A customer with a mobile-money wallet in Uganda. */
export const uganda = {
  holder: {
    type: 'individual',
    name: 'Amina Okello',
    phone: '+256700000000',
    email: 'amina@example.com',
    address: {
      addressLine1: '1 Kampala Road',
      city: 'Kampala',
      stateProvinceRegion: 'Central',
      postalCode: '10101',
      country: 'UGA',
    },
  },
  wallet: {
    financialInstitute: 'MTN',
    accountType: 'momo',
    accountNumber: '256700000000',
    currency: 'ugx',
    country: 'uga',
  },
} as const;

/** Runs each example against the emulator. Each returns what happened. */
export const scenes: Readonly<Record<string, () => Promise<void>>> = {
  'onramp-refreshed-quote': async () => {
    const { emulator, payments, userId } = stage();
    const account = await payments.accounts.create(userId, {
      rail: 'onramp',
      type: 'africa',
      accountHolder: uganda.holder,
      africa: uganda.wallet,
    });
    const offer = await quote(payments, userId, { id: accountIdOf(account), currency: 'ugx' }, 500_000);
    console.log(`${offer.sends} → ${offer.receives}, until ${offer.expiresAt?.toISOString()}`);
    emulator.clock.advance('14m');
    const fresh = await keepFresh(payments, offer, emulator.clock.now());
    console.log(`${fresh.sends} → ${fresh.receives}, until ${fresh.expiresAt?.toISOString()}`);
  },
  'africa-mobile-money': async () => {
    const { payments, userId } = stage();
    const result = await buyWithMobileMoney(payments, 'p-1', { userId, ...uganda }, 500_000);
    if (result.kind === 'started') console.log(result.onramp.transferDetails.status);
    else console.log(result.kind === 'correct' ? `correct ${result.fields.join(', ')}` : 'started before');
  },
  'daily-close': async () => {
    const { emulator, payments, userId } = stage();
    const rows = ['7', '8', '9'].map(
      (number): OwnRow => ({
        id: `invoice ${number}`,
        requestId: requestIdFrom('invoice', number),
        amount: `${number}.50`,
        currency: 'usdc',
        source: { userId },
        createdAt: emulator.clock.now(),
      }),
    );
    // The last one was never called.
    for (const { requestId, amount } of rows.slice(0, 2))
      await payments.transfers.create({
        requestId,
        source: { userId },
        destination: { userId },
        amount: amount ?? 0,
        currency: 'usdc',
        chain: 'POLYGON',
      });
    const transfers = transfersFrom(async ({ limit, createdBefore }) => {
      const query = { userId, limit, createdBefore };
      const page = await payments.request<{ records: Transfer[] }>({
        method: 'GET',
        path: '/v2/wallets/transfers',
        query,
      });
      return page.records;
    });
    emulator.clock.advance('24h');
    const day = dayBefore(emulator.clock.now(), 0);
    process.exitCode = await closeDay(day, { payers: [userId], rows: () => rows, transfers });
  },
  'batch-payout': async () => {
    const { emulator, payments, userId } = stage();
    const payees = Array.from({ length: 120 }, (_, index) => ({
      userId: emulator.createUser({ externalWallets: 0 }).userId,
      amount: 100 + index,
    }));
    for (const report of await payOut(payments, userId, '2026-11', payees, memoryRows()))
      console.log(report.requestId, report.recipients, report.result);
  },
  'approvals-inbox': async () => {
    const { payments, userId } = stage();
    for (const amount of [40, 80]) {
      await payments.transfers.create({
        source: { userId },
        destination: { userId },
        amount,
        currency: 'usdc',
        chain: 'POLYGON',
        requireApproval: true,
      });
    }
    console.log(`${await approvalsInbox(payments)} decided`);
  },
  'metric-report': async () => {
    const { emulator, payments, userId } = stage();
    const { transferDetails } = await payments.onramps.create({
      source: { userId, currency: 'usd', amount: 250, transferType: 'ach' },
      destination: { userId, currency: 'usdc', chain: 'POLYGON' },
    });
    emulator.simulateDeposit(transferDetails.id);
    const metric = emulator.createMetric({ calculationInterval: 'day' });
    const { csv, svg } = await reportOf(payments, metric.id, 'grossVolume');
    console.log(csv);
    console.log(svg);
  },
  'multi-tenant': async () => {
    const { payments, userId } = stage();
    const clientOf = tenantClients(payments, async (tenantId) => `token-of-${tenantId}`);
    for (const tenant of ['acme', 'globex']) {
      const kyc = await clientOf(tenant).kyc.retrieve(userId);
      console.log(tenant, 'reads', kyc.userId);
    }
  },
  'lambda-handler': async () => {
    const { payments, userId } = stage();
    const handle = payInvoice(payments, memoryRows());
    const body = JSON.stringify({ invoiceId: '2026-0042', payer: userId, payee: userId, amount: 25 });
    for (let click = 0; click < 2; click += 1) {
      console.log(await handle({ body, headers: {} }, { getRemainingTimeInMillis: () => 5_000 }));
    }
  },
};
