import { describe, expect, it } from 'vitest';
import { AccountRejectedError } from '../../src/client/index.ts';
import { usParams } from './operations.ts';
import { clientOf, failure, json, printedForms, scripted } from './support.ts';

const options = { interval: 1 };
const waiting = (...records: object[]) =>
  clientOf(scripted(...records.map((record) => json(record)))).accounts.waitUntilActive('u1', 'a1', options);

describe('waitUntilActive reads a record in every form', () => {
  it.each([
    { id: 'a1', status: 'ACTIVE' },
    { id: 'a1', status: 'ACTIVE', isValid: true },
    // "`status` decides where it is one of the four words, else `isValid`."
    { id: 'a1', status: 'ACTIVE', isValid: false },
    { id: 'a1', status: 'IN_REVIEW', isValid: true },
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

describe('waitUntilActive on a record without `status` and `isValid`', () => {
  // "A record with neither is a `ResponseValidationError` at once that names the webhook. Nothing is remembered from `create`."
  it('is an error at once that names the event, whatever `create` and the list say', async () => {
    const silent = { id: 'a1', createdAt: '2026-01-01T00:00:00Z' };
    const active = { id: 'a1', status: 'ACTIVE' };
    const asked: string[] = [];
    const payments = clientOf(async (url, init) => {
      const { pathname } = new URL(url);
      asked.push(`${init?.method} ${pathname.split('/').at(-1)}`);
      if (init?.method === 'POST') return Response.json(active);
      return Response.json(pathname.endsWith('/a1') ? silent : { accounts: [active] });
    });
    await payments.accounts.create('u1', usParams);
    const error = await failure(payments.accounts.waitUntilActive('u1', 'a1'));
    expect(error).toMatchObject({ name: 'ResponseValidationError', body: silent });
    expect(error.message).toContain('ACCOUNT.ONRAMP.UPDATE');
    expect(asked).toEqual(['POST accounts', 'GET a1']);
  });
});
