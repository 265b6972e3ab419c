import { describe, expect, it } from 'vitest';
import { fakeList, fakeResult, type PaymentsClient } from '../../src/index.ts';
import { clientOf, json, printedForms, scripted, token } from './support.ts';

const kycRecord = { userId: 'u1', kycInfo: {} };

describe('a fake of the client', () => {
  it('returns what the client would', async () => {
    const fake: Pick<PaymentsClient, 'kyc'> = { kyc: { retrieve: () => fakeResult(kycRecord, 'r1') } };
    const call = fake.kyc.retrieve('u1');
    expect(call.requestId).toBe('r1');
    expect(await call).toEqual(kycRecord);
    const { data, attempts, response } = await call.withResponse();
    expect([data, attempts, await response.json()]).toEqual([kycRecord, 1, kycRecord]);
    expect((await call.asResponse()).status).toBe(200);
  });

  it('fails as the client would', async () => {
    const down = new RangeError('down');
    await expect(fakeResult(down)).rejects.toBe(down);
    await expect(fakeList(down).toArray()).rejects.toBe(down);
  });

  it('lists', async () => {
    const list = fakeList([1, 2, 3]);
    expect(await list.toArray()).toEqual([1, 2, 3]);
    expect(await fakeList([1, 2, 3]).toArray({ limit: 2 })).toEqual([1, 2]);
    const page = await list;
    expect([page.items, page.hasNextPage()]).toEqual([[1, 2, 3], false]);
    const seen: number[] = [];
    for await (const item of fakeList([4, 5])) seen.push(item);
    expect(seen).toEqual([4, 5]);
  });
});

describe('a client', () => {
  it('works through a proxy, as do its namespaces and its copies', async () => {
    const payments = clientOf(scripted(json(kycRecord)));
    expect(await new Proxy(payments, {}).kyc.retrieve('u1')).toEqual(kycRecord);
    expect(await new Proxy(payments.kyc, {}).retrieve('u1')).toEqual(kycRecord);
    expect(await { ...payments }.kyc.retrieve('u1')).toEqual(kycRecord);
    const request = { method: 'GET', path: '/v2/users/u1/kyc' } as const;
    expect(await new Proxy(payments, {}).request(request)).toEqual(kycRecord);
  });

  it('hides what it holds', () => {
    const payments = clientOf(scripted(json(kycRecord)));
    expect(printedForms(payments)).not.toContain(token);
    expect(printedForms(payments.kyc)).not.toContain(token);
    expect(Object.keys(payments.kyc)).toEqual([]);
  });
});
