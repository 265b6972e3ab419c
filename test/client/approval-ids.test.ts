import { expect, it } from 'vitest';
import { createEmulator } from '../../src/emulator/index.ts';
import { transferOf } from '../fixtures/params.ts';
import { clientOf, failure, json, scripted } from './support.ts';

// Issue 60: "`approve(transferId)` gets 'no approval with the id': client and emulator say that it may be a transfer's id,
// and name `approvalOf`."
it.each(['approve', 'reject'] as const)('%s of a transfer’s id says which id is meant', async (decide) => {
  const emulator = createEmulator();
  const payments = clientOf(emulator.fetch);
  const { userId } = emulator.createUser();
  const { transferDetails } = await payments.transfers.create({
    ...transferOf(userId),
    requireApproval: true,
  });
  const error = await failure(payments.approvals[decide](transferDetails.id));
  expect(error).toMatchObject({ name: 'NotFoundError', outcome: 'rejected' });
  expect(error.message).toContain("`approvalId` may be a transfer's id");
  expect(error.message).toContain('`approvalOf(transfer)?.id`');
  expect(error.message).toContain(
    'It is the id of a transfer: `approvalOf(transfer)` has the one of its approval',
  );
  expect(() => emulator[decide](transferDetails.id)).toThrow('It is the id of a transfer');
  expect(() => emulator[decide]('none')).toThrow('It may be the id of a transfer: `approvalOf(transfer)`');
});

it('says so by itself, whatever the service says', async () => {
  const client = clientOf(scripted(json({ error: 'Not found' }, 404)));
  expect((await failure(client.approvals.approve('a1'))).message).toContain('`approvalOf(transfer)?.id`');
  expect((await failure(client.kyc.retrieve('u1'))).message).not.toContain('approvalOf');
});
