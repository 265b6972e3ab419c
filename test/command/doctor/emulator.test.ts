import { createEmulator, type EmulatorOptions } from 'stablecoin-payments/emulator';
import { describe, expect, it } from 'vitest';
import { clientOf } from '../../client/support.ts';
import { levelsOf, run } from './support.ts';

const dialects: [string, EmulatorOptions][] = [
  ['spec', {}],
  ['field', { dialect: 'field' }],
];

async function prepared(options: EmulatorOptions) {
  const emulator = createEmulator({
    seed: 'doctor',
    clock: { frozen: false },
    token: 'planted-token',
    ...options,
  });
  const { userId } = emulator.createUser({ rails: ['usd', 'africa'], externalWallets: 7 });
  const payments = clientOf(emulator.fetch, { accessToken: 'planted-token' });
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
    for (const secret of ['planted', 'Planted', userId, '000999888777', '0x'])
      expect(stdout).not.toContain(secret);
    const people = await run({ args: ['--user', userId], fetch: emulator.fetch });
    for (const secret of ['planted', 'Planted', userId, '000999888777', '0x'])
      expect(people.stdout).not.toContain(secret);
    expect(people.stdout).toContain('0 failures');
  });

  it('creates what it deletes and rejects, and leaves no transfer pending', async () => {
    const { emulator, userId } = await prepared(options);
    const pending = () => emulator.state().approvals.filter(({ status }) => status === 'PENDING').length;
    const before = pending();
    const transfers = emulator.state().approvals.length;
    const { report, status } = await run({
      args: ['--json', '--user', userId, '--sandbox-writes', '--yes'],
      fetch: emulator.fetch,
    });
    expect(report.findings.filter(({ level }) => level === 'failure')).toEqual([]);
    expect(status).toBe(0);
    expect(levelsOf(report, 'idempotency')).toEqual(['ok', 'ok']);
    expect(levelsOf(report, 'accounts.delete')).toEqual(['ok']);
    expect(report.open).toEqual([]);
    expect(emulator.state().approvals.length).toBe(transfers + 2);
    expect(pending()).toBe(before);
  });
});
