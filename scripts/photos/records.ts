import { startEmulatorServer } from '../../src/emulator/node.ts';

const uuid = (place: number): string => `7d1c0000-0000-4000-8000-${String(place).padStart(12, '0')}`;

/** An emulator with records of every kind, the same every time but for how long requests took. */
export async function emulatorWithRecords() {
  const statuses = [200, 503, 200, 404, 200, 200];
  const server = await startEmulatorServer({
    seed: 'photographs',
    clock: { start: '2026-03-02T09:00:00Z', frozen: true },
    accountValidation: '3s',
    settlementStep: '5m',
    webhook: {
      url: 'https://shop.example/webhooks/payments',
      fetch: async () => {
        const status = statuses.shift() ?? 200;
        return new Response(status === 200 ? '{"received":true}' : '{"error":"try again later"}', {
          status,
          headers: status === 503 ? { 'retry-after': '120' } : {},
        });
      },
    },
  });
  const { emulator, url } = server;
  const amina = emulator.createUser({
    rails: ['usd', 'africa'],
    kyc: { firstName: 'Amina', lastName: 'Okello' },
  }).userId;
  const brian = emulator.createUser({
    rails: ['usd'],
    kyc: { firstName: 'Brian', lastName: 'Mwangi' },
    externalWallets: 1,
  }).userId;
  emulator.setBalance({ userId: amina, currency: 'usdc', chain: 'POLYGON', amount: 12_500 });
  let made = 0;
  const call = async (method: string, path: string, body?: object) => {
    made += 1;
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: 'Bearer not-shown',
        'content-type': 'application/json',
        'x-trace': `run-${made}`,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch(() => undefined);
    return response === undefined ? {} : response.json();
  };
  const pay = (amount: number, requireApproval = false) => {
    const coin = { currency: 'usdc', chain: 'POLYGON', amount, requireApproval };
    return call('POST', '/v2/wallets/transfers', {
      requestId: uuid(made),
      source: { userId: amina },
      destination: { userId: brian },
      ...coin,
    });
  };
  const onramp = (amount: number) =>
    call('POST', '/v2/onramps', {
      requestId: uuid(made),
      source: { userId: amina, currency: 'usd', amount, transferType: 'ach' },
      destination: { userId: amina, currency: 'usdc', chain: 'POLYGON' },
    });
  for (const amount of [640, 410, 1250, 880, 300, 1490]) {
    await pay(amount);
    emulator.simulateDeposit((await onramp(amount * 1.5)).transferDetails.id);
    emulator.clock.advance('1d');
  }
  const { transferDetails: approved } = await pay(2400, true);
  emulator.clock.advance('2h');
  emulator.approve(approved.receipt.approval.id, { comment: 'matches invoice 1042' });
  emulator.clock.advance('20m');
  await emulator.delivered();
  const holder = {
    type: 'individual',
    name: 'Amina Okello',
    phone: '+256700000000',
    email: 'amina@example.com',
  };
  const address = { addressLine1: '1 Example Road', city: 'Kampala', stateProvinceRegion: 'Central' };
  await call('POST', `/v2/users/${amina}/accounts`, {
    rail: 'onramp',
    type: 'africa',
    accountHolder: { ...holder, address: { ...address, postalCode: '10101', country: 'UGA' } },
    africa: {
      financialInstitute: 'MTN',
      accountType: 'momo',
      accountNumber: '0700000000',
      currency: 'ugx',
      country: 'uga',
    },
  });
  emulator.clock.advance('5m');
  const rejected = await pay(95, true);
  emulator.reject(rejected.transferDetails.receipt.approval.id, { comment: 'sent twice' });
  await pay(5200, true);
  await call('POST', '/v2/offramps', {
    requestId: uuid(made),
    source: { userId: amina, amount: 700, currency: 'usdc', chain: 'POLYGON' },
    destination: { currency: 'usd', accountId: 'account-1', userId: amina },
    requireApproval: true,
  });
  const { transferDetails: open } = await onramp(250);
  emulator.faults.inject({ operation: 'transfers.create', kind: 'reset-after-commit' });
  await pay(75);
  emulator.faults.inject({
    operation: 'kyc.retrieve',
    kind: 'status',
    status: 503,
    retryAfter: 30,
    times: 3,
  });
  await call('GET', '/v2/transfer-approvals?limit=20');
  await pay(-1);
  await call('GET', `/v2/users/${amina}/kyc`);
  await emulator.delivered();
  const requests = emulator.requests();
  const request = requests.find(({ fault }) => fault === 'reset-after-commit')?.id ?? '';
  return { server, ids: { transfer: approved.id, onramp: open.id, request } };
}
