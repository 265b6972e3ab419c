import { PaymentsClient, requestIdFrom } from 'stablecoin-payments';
import type { EmulatorServer } from 'stablecoin-payments/emulator/node';

/** The ids of the records that pictures show. */
export interface Day {
  user: string;
  /** A transfer that was approved, after a lost response and deliveries that failed. */
  approved: string;
  /** A transfer whose first response was lost, and the request that lost it. */
  retried: string;
  lostRequest: string;
  batch: string;
  onramp: string;
}

/** A day in the life of an integrator: deposits, payouts, lost responses, approvals, and a receiver that is down. */
export async function playDay({ emulator, url }: EmulatorServer): Promise<Day> {
  const payments = new PaymentsClient({ baseUrl: url, accessToken: 'token', retries: 0 });
  const person = (firstName: string, lastName: string) =>
    emulator.createUser({
      rails: ['usd', 'africa'],
      kyc: { firstName, lastName, email: `${firstName}.${lastName}@example.com`.toLowerCase() },
    }).userId;
  const amina = person('Amina', 'Otieno');
  const kofi = person('Kofi', 'Mensah');
  const team = [
    person('Grace', 'Nakato'),
    person('Daniel', 'Banda'),
    person('Esther', 'Mwangi'),
    person('Hassan', 'Adeyemi'),
    person('Chipo', 'Dlamini'),
  ];
  const business = emulator.createUser({
    rails: ['usd'],
    kyc: {
      type: 'business',
      firstName: null,
      lastName: null,
      businessName: 'Northwind Trading Ltd',
      email: 'pay@northwind.example.com',
    },
  }).userId;
  emulator.setBalance({ userId: business, currency: 'usdc', chain: 'POLYGON', amount: 50_000 });
  emulator.setBalance({ userId: kofi, currency: 'usdt', chain: 'ETHEREUM', amount: 1250.75 });

  const transfer = (
    invoice: string,
    amount: number,
    { from = amina, to = kofi, requireApproval = false } = {},
  ) =>
    payments.transfers.create({
      requestId: requestIdFrom('invoice', invoice),
      source: { userId: from },
      destination: { userId: to },
      amount,
      currency: 'usdc',
      chain: 'POLYGON',
      requireApproval,
    });
  const later = async (time: string) => {
    emulator.clock.advance(time);
    await emulator.delivered();
  };
  const deposit = (userId: string, amount: number) =>
    payments.onramps.create({
      source: { userId, currency: 'usd', amount, transferType: 'ach' },
      destination: { userId, currency: 'usdc', chain: 'POLYGON' },
    });
  const account = (userId: string, rail: 'onramp' | 'offramp', name: string, country: 'uga' | 'ken') =>
    payments.accounts.create(userId, {
      rail,
      type: 'africa',
      accountHolder: {
        type: 'individual',
        name,
        phone: '+256700000000',
        email: 'holder@example.com',
        address: {
          addressLine1: '1 Kampala Road',
          city: 'Kampala',
          stateProvinceRegion: 'Central',
          postalCode: '10101',
          country: 'UGA',
        },
      },
      africa: {
        financialInstitute: 'MTN',
        accountType: 'momo',
        accountNumber: '256700000000',
        currency: country === 'uga' ? 'ugx' : 'kes',
        country,
      },
    });

  const mobile = await account(amina, 'offramp', 'Amina Otieno', 'uga');
  emulator.validateAccount(mobile.id ?? '', { status: 'ACTIVE' });
  await account(kofi, 'onramp', 'Kofi Mensah', 'ken');

  const funded = await deposit(business, 25_000);
  await later('4m');
  emulator.simulateDeposit(funded.transferDetails.id);
  await later('2m');
  const tooLow = await deposit(kofi, 100.5);
  emulator.simulateDeposit(tooLow.transferDetails.id, { amount: 1 });
  await deposit(amina, 640);
  await later('12m');

  await transfer('1039', 12_000, { from: business, to: amina });
  await later('1m');
  emulator.faults.inject({ operation: 'transfers.create', kind: 'reset-after-commit' });
  await transfer('1041', 1250).catch(() => undefined);
  const lostRequest = emulator.requests().at(-1)?.id ?? '';
  await later('2s');
  emulator.faults.inject({ operation: 'transfers.create', kind: 'status', status: 503 });
  await transfer('1041', 1250).catch(() => undefined);
  await later('4s');
  const retried = await transfer('1041', 1250);
  await later('9m');

  const batch = await payments.transfers.createBatch({
    requestId: requestIdFrom('payroll', '2026-01'),
    source: { userId: business },
    currency: 'usdc',
    chain: 'POLYGON',
    destination: {
      batch: team.map((userId, place) => ({ userId, amount: `${1200 + place * 85}.50` })),
    },
  });
  await later('3m');
  await payments.bridges.create({
    requestId: requestIdFrom('bridge', '7'),
    amount: 800,
    source: { userId: kofi, chain: 'ETHEREUM', currency: 'usdt' },
    destination: { userId: kofi, chain: 'POLYGON', currency: 'usdt' },
  });
  await payments.offramps.create({
    requestId: requestIdFrom('cash-out', '19'),
    source: { userId: amina, amount: 340.25, currency: 'usdc', chain: 'POLYGON' },
    destination: { userId: amina, currency: 'ugx', accountId: mobile.id ?? '' },
    purposeOfPayment: 'school-fees',
  });
  await later('6m');

  emulator.faults.inject({ operation: 'transfers.create', kind: 'reset-after-commit' });
  await transfer('1042', 320, { requireApproval: true }).catch(() => undefined);
  await later('3s');
  const approved = await transfer('1042', 320, { requireApproval: true });
  await later('5m');
  const { id: approvalId = '' } = emulator.state().approvals[0] ?? {};
  await payments.approvals.approve(approvalId, { comment: 'invoice 1042' });
  await later('35m');
  await transfer('1043', 9_800, { from: business, to: kofi, requireApproval: true });
  await payments.approvals.reject(emulator.state().approvals.at(-1)?.id ?? '', { comment: 'wrong invoice' });
  await transfer('1044', 75.5, { requireApproval: true });
  await later('8m');
  await transfer('1045', 0.05);
  await later('4s');
  emulator.faults.inject({ operation: 'transfers.create', kind: 'reset-after-commit', times: 2 });
  emulator.faults.inject({ kind: 'latency', latency: 2500 });

  return {
    user: amina,
    approved: approved.transferDetails.id,
    retried: retried.transferDetails.id,
    lostRequest,
    batch: batch.transferDetails.id,
    onramp: funded.transferDetails.id,
  };
}
