import { PaymentsClient } from 'stablecoin-payments';
import { createEmulator, type EmulatorOptions, randomDialect } from 'stablecoin-payments/emulator';
import { describe, expect, it } from 'vitest';
import { run } from './support.ts';

const dialects: [string, EmulatorOptions][] = [
  ['spec', {}],
  ['field', { dialect: 'field' }],
  ...Array.from({ length: 12 }, (_item, seed): [string, EmulatorOptions] => [
    `random ${seed}`,
    { dialect: randomDialect(seed) },
  ]),
];

async function prepared(options: EmulatorOptions) {
  const emulator = createEmulator({
    seed: 'doctor',
    clock: { frozen: false },
    token: 'planted-token',
    ...options,
  });
  const { userId } = emulator.createUser({ rails: ['usd', 'africa'], externalWallets: 7 });
  const payments = new PaymentsClient({
    baseUrl: 'http://localhost',
    accessToken: 'planted-token',
    fetch: emulator.fetch,
  });
  for (let index = 0; index < 3; index += 1) {
    await payments.accounts.create(userId, {
      rail: 'onramp',
      type: 'us',
      accountHolder: {
        type: 'individual',
        name: 'Planted Name',
        phone: '+15550100',
        email: 'planted@example.com',
        address: {
          addressLine1: '1 Planted Street',
          city: 'Austin',
          stateProvinceRegion: 'TX',
          postalCode: '78701',
          country: 'USA',
        },
      },
      us: {
        transferType: 'ach',
        accountType: 'checking',
        accountNumber: '000999888777',
        routingNumber: '021000021',
        bankName: 'Planted Bank',
        currency: 'usd',
      },
    });
    await payments.transfers.create({
      source: { userId },
      destination: { userId },
      amount: 1,
      currency: 'usdc',
      chain: 'POLYGON',
      requireApproval: true,
    });
  }
  return { emulator, userId };
}

describe.each(dialects)('the emulator in the dialect %s', (_name, options) => {
  it('breaks nothing, is only read, and shows no value', async () => {
    const { emulator, userId } = await prepared(options);
    const before = emulator.requests().length;
    const { status, report, stdout } = await run({
      args: ['--json', '--user', userId],
      fetch: emulator.fetch,
    });
    expect(report.findings.filter(({ level }) => level === 'failure')).toEqual([]);
    expect(status).toBe(0);
    expect(
      emulator
        .requests()
        .slice(before)
        .every(({ method }) => method === 'GET'),
    ).toBe(true);
    expect(report.lists.map(({ operation }) => operation)).toEqual([
      'accounts.list',
      'externalWallets.list',
      'approvals.list',
    ]);
    for (const secret of ['planted', 'Planted', userId, '000999888777', '0x'])
      expect(stdout).not.toContain(secret);
    const people = await run({ args: ['--user', userId], fetch: emulator.fetch });
    for (const secret of ['planted', 'Planted', userId, '000999888777', '0x'])
      expect(people.stdout).not.toContain(secret);
    expect(people.stdout).toContain('0 failures');
  });

  it('walks creates after asking, and leaves no transfer pending', async () => {
    const { emulator, userId } = await prepared(options);
    const pending = () => emulator.state().approvals.filter(({ status }) => status === 'PENDING').length;
    const before = pending();
    const { report } = await run({
      args: ['--json', '--user', userId, '--sandbox-writes'],
      fetch: emulator.fetch,
      answer: 'yes',
    });
    expect(report.findings.filter(({ level }) => level === 'failure')).toEqual([]);
    const called = report.operations.map(({ operation }) => operation);
    for (const operation of [
      'transfers.create',
      'transfers.createBatch',
      'bridges.create',
      'onramps.create',
      'accounts.create',
      'approvals.reject',
    ])
      expect(called).toContain(operation);
    expect(report.findings.find(({ check }) => check === 'idempotency')?.level).toBe('ok');
    expect(pending()).toBe(before);
  });
});

describe('writes', () => {
  it.each([
    [['--sandbox-writes'], undefined, 'Run it in a terminal, or add --yes'],
    [['--sandbox-writes'], 'no', 'Nothing was created'],
  ])('%j with the answer %j create nothing', async (args, answer, words) => {
    const emulator = createEmulator();
    const { status, stderr } = await run({
      args,
      fetch: emulator.fetch,
      ...(answer !== undefined && { answer }),
    });
    expect(status).toBe(2);
    expect(stderr).toContain(words);
    expect(emulator.requests()).toEqual([]);
  });

  it('are refused in production', async () => {
    const { status, stderr } = await run({
      args: ['--sandbox-writes', '--yes'],
      env: { PAYMENTS_ENVIRONMENT: 'production' },
    });
    expect(status).toBe(2);
    expect(stderr).toContain('PAYMENTS_ENVIRONMENT is production');
  });
});
