import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { issuesOf, sortedIssues } from '../../../src/client/call/read-response.ts';
import { fieldNamesIn } from '../../../src/shared/schema/fields.ts';
import { account, accountDeletion } from '../../../src/shared/service/accounts.ts';
import {
  approvalDecision,
  approvalEnvelope,
  transferApproval,
} from '../../../src/shared/service/approvals.ts';
import { bridge } from '../../../src/shared/service/bridges.ts';
import { externalWallet, externalWalletEnvelope } from '../../../src/shared/service/external-wallets.ts';
import { kycInfo, kycInformation } from '../../../src/shared/service/kyc.ts';
import { metricResults } from '../../../src/shared/service/metrics.ts';
import { offramp } from '../../../src/shared/service/offramps.ts';
import { onramp } from '../../../src/shared/service/onramps.ts';
import { transfer, transferBatch } from '../../../src/shared/service/transfers.ts';
import { awaitingFunds } from '../../fixtures/index.ts';

const essential = ['transferDetails.id', 'transferDetails.status'];
const none: ReturnType<typeof issuesOf> = { fatal: [], minor: [] };
const record = structuredClone(awaitingFunds) as { transferDetails: Record<string, unknown> };
const without = (name: string) => {
  const { [name]: _gone, ...transferDetails } = record.transferDetails;
  return { ...record, transferDetails };
};
const read = (value: unknown, mode: 'tolerant' | 'strict' = 'tolerant') =>
  issuesOf(onramp(), value, mode, essential);

describe('a response', () => {
  it('that has more fields than its schema departs in nothing', () => {
    expect(read(record, 'strict')).toEqual(none);
    expect(
      read({ ...record, more: 1, transferDetails: { ...record.transferDetails, more: {} } }, 'strict'),
    ).toEqual(none);
  });

  it('without an essential field, or a parent of one, is useless', () => {
    const missing = { path: 'transferDetails.id', code: 'invalid_type' };
    expect(read(without('id'))).toEqual({ fatal: [missing], minor: [] });
    expect(read({ transferType: 'ONRAMP' }).fatal).toEqual([
      { path: 'transferDetails', code: 'invalid_type' },
    ]);
    expect(read([]).fatal).toEqual([{ path: '', code: 'invalid_type' }]);
  });

  it('departs in other fields without being useless, but in strict mode', () => {
    const issue = { path: 'transferDetails.createdAt', code: 'invalid_type' };
    expect(read(without('createdAt'))).toEqual({ fatal: [], minor: [issue] });
    expect(read(without('createdAt'), 'strict')).toEqual({ fatal: [issue], minor: [] });
  });

  it('is told with the place of an item, and without names that may be values', () => {
    const item = z.object({ names: z.record(z.string(), z.string()) });
    const at = ['data', 3];
    const { issues = [] } = item.safeParse({ names: { '4929123456781234': 1 } }).error ?? {};
    expect(sortedIssues(issues, 'tolerant', [], at)).toEqual({
      fatal: [],
      minor: [{ path: 'data.3.names.*', code: 'invalid_type' }],
    });
  });

  it.each<[string, z.ZodMiniType]>([
    ['account', account()],
    ['deletion', accountDeletion()],
    ['approval', transferApproval()],
    ['decision', approvalDecision()],
    ['approvals', approvalEnvelope()],
    ['bridge', bridge()],
    ['wallet', externalWallet()],
    ['wallets', externalWalletEnvelope()],
    ['kyc', kycInformation()],
    ['metric', metricResults()],
    ['offramp', offramp()],
    ['onramp', onramp()],
    ['transfer', transfer()],
    ['batch', transferBatch()],
  ])('of an %s allows unknown fields in its JSON schema', (_what, schema) => {
    const text = JSON.stringify(z.toJSONSchema(schema, { unrepresentable: 'any' }));
    expect(text).toContain('"additionalProperties":{}');
    expect(text).not.toContain('"additionalProperties":false');
  });
});

describe('the parse', () => {
  it('is compiled by zod where the runtime allows code from text', () => {
    // Whether the compiled form runs shows in the stack of what a getter throws.
    const value = { address: 'a', chain: 'c' };
    let stack = '';
    Object.defineProperty(value, 'createdAt', {
      get: () => {
        stack = String(new Error('planted').stack);
        return 'now';
      },
    });
    expect(externalWallet().safeParse(value).success).toBe(true);
    expect(stack).toContain('eval');
  });

  it('knows the names of all fields', () => {
    expect(fieldNamesIn([kycInfo()])).toEqual(
      expect.arrayContaining(['firstName', 'govIdNumber', 'postalCode']),
    );
  });
});
