import { describe, expect, test } from 'vitest';
import { bodyUnder, type PaymentBody, writeBody } from '../../../src/payouts/rules/body.ts';
import { requestPayment } from '../../../src/payouts/worker/call.ts';

const parts = {
  requestId: 'key',
  payer: 'payer',
  currency: 'usdc',
  chain: 'POLYGON',
  needsApproval: true,
  recipients: [
    { payee: 'p1', amount: '1250.500001' },
    { payee: 'p2', amount: '0.1' },
  ],
};

/** Requests the payment of a client that writes down what it is told, and accepts it. */
async function sent(body: PaymentBody, answer: object = {}) {
  const told: unknown[] = [];
  const { signal } = new AbortController();
  const accept = (operation: string) => async (params: unknown, options: unknown) => {
    told.push({ operation, params: JSON.stringify(params), options });
    return { transferDetails: { id: 't1', status: 'COMPLETED', ...answer } };
  };
  const transfers = { create: accept('create'), createBatch: accept('createBatch') };
  const finding = await requestPayment({ transfers }, body, signal);
  return { told, finding, signal };
}

describe('the request of an attempt', () => {
  test('is the stored body to the byte, without retries of the client', async () => {
    const stored = writeBody({ ...parts, isBatch: false }, 'text');
    expect(stored).toBe(
      '{"requestId":"key","source":{"userId":"payer"},"currency":"usdc","chain":"POLYGON","requireApproval":true,"destination":{"userId":"p1"},"amount":1250.500001}',
    );
    const { told, finding, signal } = await sent(JSON.parse(stored));
    expect(told).toEqual([{ operation: 'create', params: stored, options: { retries: 0, signal } }]);
    expect(finding).toEqual({ finding: 'made', reading: { transferId: 't1', state: 'paid' } });
  });

  test.each([
    ['text', '[{"userId":"p1","amount":"1250.500001"},{"userId":"p2","amount":"0.1"}]'],
    ['number', '[{"userId":"p1","amount":1250.500001},{"userId":"p2","amount":0.1}]'],
  ] as const)('is one batch transfer for a batch, with its amounts as %s', async (form, batch) => {
    const stored = writeBody({ ...parts, isBatch: true }, form);
    expect(stored).toContain(`"destination":{"batch":${batch}}`);
    const { told } = await sent(JSON.parse(stored));
    expect(told).toMatchObject([{ operation: 'createBatch', params: stored }]);
  });

  test('keeps what a later version stored', async () => {
    const stored = '{"requestId":"key","destination":{"userId":"p1"},"memo":"from a later version"}';
    expect((await sent(JSON.parse(stored))).told).toMatchObject([{ params: stored }]);
  });

  test('whose response shows another payment says in what it differs', async () => {
    const body: PaymentBody = JSON.parse(writeBody({ ...parts, isBatch: false }, 'text'));
    const { finding } = await sent(body, { amount: 1, destination: { userId: 'p9' } });
    expect(finding).toMatchObject({ finding: 'made', differs: ['amount', 'payee'] });
  });
});

test('a part of a batch has its own key and its own recipients, in their order', () => {
  const body: PaymentBody = JSON.parse(writeBody({ ...parts, isBatch: true }, 'text'));
  expect(JSON.parse(bodyUnder(body, 'part', [1]))).toMatchObject({
    requestId: 'part',
    destination: { batch: [{ userId: 'p2', amount: '0.1' }] },
  });
});
