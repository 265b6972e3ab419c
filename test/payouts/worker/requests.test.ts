import { describe, expect, test } from 'vitest';
import type { Attempt } from '../../../src/payouts/store/begin.ts';
import { requestPayment } from '../../../src/payouts/worker/call.ts';

const attempt = (batch: string | null, needs_approval = false): Attempt => {
  const common = { batch, currency: 'usdc', chain: 'POLYGON', needs_approval };
  return {
    job: { id: '1', requestId: 'key' },
    number: 1,
    recipients: [
      { ...common, employee: 'E1', payee: 'p1', amount: '1250.500001' },
      { ...common, employee: 'E2', payee: 'p2', amount: '0.100000' },
    ],
  };
};

/** Requests the payment of a client that writes down what it is told, and accepts it. */
async function sent(begun: Attempt, batchAmounts: 'text' | 'number' = 'text') {
  const told: unknown[] = [];
  const { signal } = new AbortController();
  const accept = (operation: string) => async (params: unknown, options: unknown) => {
    told.push({ operation, params, options });
    return { transferDetails: { id: 't1', status: 'COMPLETED' } };
  };
  const transfers = { create: accept('create'), createBatch: accept('createBatch') };
  const result = await requestPayment({ transfers }, { userId: 'payer', batchAmounts }, begun, signal);
  return { told, result, signal };
}

describe('the request of an attempt', () => {
  test('is one transfer for a payout of its own, without retries of the client', async () => {
    const { told, result, signal } = await sent(attempt(null, true));
    expect(told).toEqual([
      {
        operation: 'create',
        params: {
          requestId: 'key',
          source: { userId: 'payer' },
          destination: { userId: 'p1' },
          amount: 1250.500001,
          currency: 'usdc',
          chain: 'POLYGON',
          requireApproval: true,
        },
        options: { retries: 0, signal },
      },
    ]);
    expect(result).toEqual({ reading: { transferId: 't1', state: 'paid' } });
  });

  test.each([
    ['text', ['1250.500001', '0.100000']],
    ['number', [1250.500001, 0.1]],
  ] as const)('is one batch transfer for a batch, with its amounts as %s', async (form, amounts) => {
    const { told, result, signal } = await sent(attempt('1'), form);
    expect(told).toEqual([
      {
        operation: 'createBatch',
        params: {
          requestId: 'key',
          source: { userId: 'payer' },
          destination: {
            batch: [
              { userId: 'p1', amount: amounts[0] },
              { userId: 'p2', amount: amounts[1] },
            ],
          },
          currency: 'usdc',
          chain: 'POLYGON',
          requireApproval: false,
        },
        options: { retries: 0, signal },
      },
    ]);
    expect(result).toEqual({ reading: { transferId: 't1', state: 'paid' } });
  });

  test('never throws: a failure is a verdict', async () => {
    const fail = () => {
      throw new Error('a bug');
    };
    const transfers = { create: fail, createBatch: fail };
    const payer = { userId: 'payer', batchAmounts: 'text' } as const;
    const { signal } = new AbortController();
    expect(await requestPayment({ transfers }, payer, attempt(null), signal)).toEqual({
      verdict: { action: 'retry', reason: 'WORKER_FAILED', counts: true },
    });
  });
});
