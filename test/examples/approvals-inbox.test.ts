import { PassThrough } from 'node:stream';
import type { PaymentsClient } from 'stablecoin-payments';
import { expect, test } from 'vitest';
import { approvalsInbox } from '../../examples/approvals-inbox.ts';
import { stage } from './support.ts';

/** A terminal in which somebody answers each question as it is asked; `undefined` closes it. */
function terminal(answers: readonly (string | undefined)[]) {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const output = new PassThrough();
  const left = [...answers];
  let shown = '';
  output.on('data', (chunk: Buffer) => {
    const text = chunk.toString();
    shown += text;
    if (!/(uit\?|Comment:) $/.test(text)) return;
    const answer = left.shift();
    if (answer === undefined) input.end();
    else input.write(`${answer}\n`);
  });
  return { input, output, shown: () => shown };
}

async function pending(payments: PaymentsClient, userId: string, count: number) {
  for (let amount = 1; amount <= count; amount += 1) {
    await payments.transfers.create({
      source: { userId },
      destination: { userId },
      amount,
      currency: 'usdc',
      chain: 'POLYGON',
      requireApproval: true,
    });
  }
}

const decisions = (emulator: ReturnType<typeof stage>['emulator']) =>
  emulator.state().approvals.map(({ status }) => status);

test('approves, rejects with a comment, and skips as it is told', async () => {
  const { emulator, payments, userId } = stage({ dialect: { votesNeeded: 1 } });
  await pending(payments, userId, 3);
  const screen = terminal(['a', '', 'R', 'unknown payee', 's']);
  expect(await approvalsInbox(payments, screen)).toBe(2);
  expect(decisions(emulator)).toEqual(['APPROVED', 'REJECTED', 'PENDING']);
  expect(emulator.state().approvals[1]?.votes[0]?.comment).toBe('unknown payee');
  expect(screen.shown()).toContain('lapses 2026-01-08');
});

test('says so when nothing was decided', async () => {
  const { emulator, payments, userId } = stage({ dialect: { votesNeeded: 1 } });
  await pending(payments, userId, 2);
  const screen = terminal(['q']);
  expect(await approvalsInbox(payments, screen)).toBe(0);
  expect(screen.shown()).toContain('Nothing was decided.');
  expect(decisions(emulator)).toEqual(['PENDING', 'PENDING']);
});

test('ends without an error when the terminal is closed, and keeps what was decided', async () => {
  const { emulator, payments, userId } = stage({ dialect: { votesNeeded: 1 } });
  await pending(payments, userId, 2);
  expect(await approvalsInbox(payments, terminal(['a', '', undefined]))).toBe(1);
  expect(decisions(emulator)).toEqual(['APPROVED', 'PENDING']);
});

test('prints a line for each approval and decides nothing where there is no terminal', async () => {
  const { emulator, payments, userId } = stage({ dialect: { votesNeeded: 1 } });
  await pending(payments, userId, 2);
  const output = new PassThrough();
  expect(await approvalsInbox(payments, { input: new PassThrough(), output })).toBe(0);
  const lines = String(output.read()).trim().split('\n');
  expect(lines.map((line) => line.split('\t')[0])).toEqual(emulator.state().approvals.map(({ id }) => id));
  expect(decisions(emulator)).toEqual(['PENDING', 'PENDING']);
});

test('finds the result of a decision whose response was lost', async () => {
  const { emulator, payments, userId } = stage({ dialect: { votesNeeded: 1 } });
  await pending(payments, userId, 2);
  emulator.faults.inject({ operation: 'approvals.approve', kind: 'reset-after-commit' });
  emulator.faults.inject({ operation: 'approvals.reject', kind: 'reset-before-commit' });
  const screen = terminal(['a', '', 'r', '']);
  await approvalsInbox(payments, screen);
  expect(screen.shown()).toContain('no longer pending');
  expect(screen.shown()).toContain('still pending. The decision may arrive yet');
  expect(decisions(emulator)).toEqual(['APPROVED', 'PENDING']);
});

test('shows a refusal and goes on', async () => {
  const { emulator, payments, userId } = stage({ dialect: { votesNeeded: 1 } });
  await pending(payments, userId, 2);
  emulator.faults.inject({ operation: 'approvals.approve', kind: 'status', status: 403 });
  const screen = terminal(['a', '', 'a', '']);
  expect(await approvalsInbox(payments, screen)).toBe(2);
  expect(screen.shown()).toContain('(HTTP 403)');
  expect(decisions(emulator)).toEqual(['PENDING', 'APPROVED']);
});

test('passes a failure of the list on', async () => {
  const { payments } = stage({ token: 'another' });
  await expect(approvalsInbox(payments, terminal([]))).rejects.toThrow('401');
});
