import { describe, expect, it } from 'vitest';
import { type AccountCreateParams, AccountRejectedError } from '../../src/index.ts';
import { clientOf, failure, json, printedForms, scripted } from './support.ts';

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

describe('waitUntilActive on a record without `status` and `isValid`', () => {
  const silent = { id: 'a1', createdAt: '2026-01-01T00:00:00Z' };
  const params = { rail: 'offramp', type: 'africa', africa: {} } as unknown as AccountCreateParams;

  /** A service that answers by method and path: a list without a last id, records under it. */
  const serviceOf = (created: object, listed: object | number, retrieved: object = silent) => {
    const asked: string[] = [];
    const payments = clientOf(
      async (url, init) => {
        const { pathname } = new URL(url);
        asked.push(`${init?.method} ${pathname.split('/').at(-1)}`);
        if (init?.method === 'POST') return Response.json(created);
        if (pathname.endsWith('/a1')) return Response.json(retrieved);
        return typeof listed === 'number'
          ? Response.json({ error: 'x' }, { status: listed })
          : Response.json({ banks: [{ id: 'other', status: 'REJECTED' }, listed], nextCursor: null });
      },
      { retries: 0 },
    );
    return { payments, asked };
  };

  it('takes what create said', async () => {
    for (const created of [
      { id: 'a1', status: 'ACTIVE' },
      { accountId: 'a1', isValid: true },
    ]) {
      const { payments, asked } = serviceOf(created, 404);
      await payments.accounts.create('u1', params);
      expect(await payments.accounts.waitUntilActive('u1', 'a1')).toEqual(silent);
      expect(asked).toEqual(['POST accounts', 'GET a1']);
    }
    const refused = serviceOf({ id: 'a1', status: 'REJECTED', invalidFields: ['africa.country'] }, 404);
    await refused.payments.accounts.create('u1', params);
    await expect(refused.payments.accounts.waitUntilActive('u1', 'a1')).rejects.toMatchObject({
      name: 'AccountRejectedError',
      invalidFields: ['africa.country'],
    });
  });

  it('takes what the list says', async () => {
    const active = { id: 'a1', status: 'ACTIVE' };
    for (const created of [undefined, { id: 'a1', status: 'PENDING' }, { id: 'other', status: 'ACTIVE' }]) {
      const { payments, asked } = serviceOf(created ?? {}, active);
      if (created !== undefined) await payments.accounts.create('u1', params);
      expect(await payments.accounts.waitUntilActive('u1', 'a1')).toEqual(active);
      expect(asked.slice(-2)).toEqual(['GET a1', 'GET accounts']);
    }
    const refused = serviceOf({}, { accountId: 'a1', isValid: false });
    await expect(refused.payments.accounts.waitUntilActive('u1', 'a1')).rejects.toMatchObject({
      name: 'AccountRejectedError',
    });
  });

  it.each([silent, { id: 'else', status: 'ACTIVE' }, 404, 403])(
    'is an error at once that names the event, where nothing tells: %j',
    async (listed) => {
      const { payments, asked } = serviceOf({ id: 'a1', status: 'PENDING' }, listed);
      await payments.accounts.create('u1', params);
      const error = await failure(payments.accounts.waitUntilActive('u1', 'a1'));
      expect(error).toMatchObject({ name: 'ResponseValidationError', body: silent });
      expect(error.message).toContain('ACCOUNT.ONRAMP.UPDATE');
      expect(asked).toEqual(['POST accounts', 'GET a1', 'GET accounts']);
    },
  );

  it('does not take a failure of the list for silence', async () => {
    const { payments } = serviceOf({}, 500);
    await expect(payments.accounts.waitUntilActive('u1', 'a1')).rejects.toMatchObject({ status: 500 });
  });
});
