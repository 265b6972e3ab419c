import { describe, expect, it } from 'vitest';
import { AccountRejectedError } from '../../src/index.ts';
import { clientOf, failure, json, printedForms, scripted } from '../client/support.ts';

const options = { interval: 1 };
const waiting = (...records: object[]) =>
  clientOf(scripted(...records.map((record) => json(record)))).accounts.waitUntilActive('u1', 'a1', options);

describe('waitUntilActive reads a record in every form', () => {
  it.each([
    { id: 'a1', status: 'ACTIVE' },
    { id: 'a1', status: 'ACTIVE', isValid: true },
    { id: 'a1', isValid: true },
    { accountId: 'a1', status: null, isValid: true },
  ])('%j is active', async (record) => {
    expect(await waiting(record)).toEqual(record);
  });

  it.each([
    { id: 'a1', status: 'PENDING' },
    { id: 'a1', status: 'PENDING', isValid: false },
    { id: 'a1', status: 'IN_REVIEW' },
    { id: 'a1', isValid: null },
  ])('%j is waited on', async (record) => {
    const active = { id: 'a1', isValid: true };
    expect(await waiting(record, record, active)).toEqual(active);
  });

  it.each([
    [{ id: 'a1', status: 'REJECTED', invalidFields: ['us.accountNumber'] }, 'was rejected'],
    [{ id: 'a1', status: 'INACTIVE' }, 'is inactive'],
    [{ id: 'a1', status: 'ACTIVE', isValid: false }, 'was rejected'],
    [{ id: 'a1', isValid: false }, 'was rejected'],
  ])('%j ends in an error', async (record, words) => {
    const error = await failure(waiting(record));
    expect(error).toBeInstanceOf(AccountRejectedError);
    expect(error.message).toContain(words);
  });

  it('gives the reason, and prints it nowhere', async () => {
    const reason = 'The name Ada Lovelace does not match';
    const error = await failure(waiting({ id: 'a1', isValid: false, reason }));
    expect(error).toMatchObject({ reason, invalidFields: [] });
    expect(printedForms(error)).not.toContain('Lovelace');
  });

  it.each([{ id: 'a1' }, { id: 'a1', status: 7 }, { id: 'a1', isValid: 'true' }])(
    '%j cannot be waited on',
    async (record) => {
      const error = await failure(waiting(record));
      expect(error).toMatchObject({ name: 'ResponseValidationError', body: record });
      expect(error.message).toContain('neither `status` nor `isValid`');
    },
  );
});
