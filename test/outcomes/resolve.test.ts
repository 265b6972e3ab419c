import { inspect } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { createEmulator, type EmulatorOptions } from '../../src/emulator/index.ts';
import {
  createClient,
  type LookupResult,
  type PaymentsClient,
  type PaymentsError,
  type ResolveOptions,
  Transfers,
} from '../../src/index.ts';
import { transferParams, usParams } from '../client/operations.ts';
import {
  baseUrl,
  clientOf,
  failure,
  json,
  networkFailure,
  type Step,
  scripted,
  text,
  token,
} from '../client/support.ts';
import { heldTransfer } from '../fixtures/index.ts';

/** An emulator, a client that waits for nothing, and a transfer. */
function bench(options: EmulatorOptions = {}) {
  const emulator = createEmulator(options);
  const { userId } = emulator.createUser({ rails: ['usd', 'africa'] });
  const payments = clientOf(emulator.fetch, { retries: 0, sleep: () => undefined });
  const params = { ...transferParams, source: { userId }, destination: { userId }, requireApproval: false };
  const pay = (client: PaymentsClient = payments) => failure(client.transfers.create(params));
  return { emulator, payments, params, pay, userId, made: () => emulator.state().transfers.length };
}

const lost = { operation: 'transfers.create', kind: 'reset-after-commit' } as const;
const never = { operation: 'transfers.create', kind: 'reset-before-commit' } as const;

describe('resolve', () => {
  it('sends a create whose response was lost again, and gets the payment that was made', async () => {
    const { emulator, payments, pay, made } = bench();
    emulator.faults.inject(lost);
    const resolution = await payments.resolve(await pay());
    expect(resolution).toMatchObject({ state: 'made', evidence: 'response' });
    expect(resolution.record).toMatchObject({ transferDetails: { requestId: transferParams.requestId } });
    expect(made()).toBe(1);
  });

  it('makes the payment that never arrived, once, however many tries that takes', async () => {
    const { emulator, payments, pay, made } = bench();
    emulator.faults.inject({ ...never, times: 5 });
    expect(await payments.resolve(await pay())).toMatchObject({ state: 'made', evidence: 'response' });
    expect(made()).toBe(1);
  });

  it('takes no record from a body that shows none, where an earlier call made the payment', async () => {
    const page = text(JSON.stringify({ status: 'FAILED', error: { message: 'maintenance' } }));
    const payments = clientOf(scripted(json(heldTransfer), page), { retries: 0 });
    await payments.transfers.create(transferParams);
    const resolution = await payments.resolve(await failure(payments.transfers.create(transferParams)));
    expect(resolution).toMatchObject({ state: 'made', evidence: 'error' });
    expect(resolution.next).toBe('Do not send it again: store the record.');
    expect(resolution).not.toHaveProperty('record');
    expect(resolution).not.toHaveProperty('ended');
  });

  it('sends the very bytes of the call, also under an id that the client made', async () => {
    const fetch = scripted(
      networkFailure('ECONNRESET'),
      json({ transferDetails: { id: 't1', status: 'CREATED' } }),
    );
    const payments = clientOf(fetch, { retries: 0 });
    const { requestId: _own, ...params } = transferParams;
    const error = await failure(payments.transfers.create(params));
    expect((await payments.resolve(error)).state).toBe('made');
    expect(fetch.seen[0]?.body).toBe(fetch.seen[1]?.body);
    expect(fetch.seen[1]?.body).toContain(String(error.requestId));
  });

  it('says what the error proves by itself, and sends nothing', async () => {
    const cases: readonly [step: Step, state: string][] = [
      [json({ error: 'INSUFFICIENT_BALANCE' }, 400), 'not-made'],
      [networkFailure('ECONNREFUSED'), 'not-made'],
      [json({}, 429), 'not-made'],
      [json({ transferType: 7, transferDetails: { id: 't1', status: 'CREATED' } }), 'made'],
    ];
    for (const [step, state] of cases) {
      const fetch = scripted(step);
      const payments = clientOf(fetch, { retries: 0, responseValidation: 'strict' });
      const error = await failure(payments.transfers.create(transferParams));
      expect(await payments.resolve(error)).toMatchObject({ state, evidence: 'error', error });
      expect(fetch.seen).toHaveLength(1);
    }
  });

  it('does not take a refusal for the end of the matter after an earlier call under the id', async () => {
    for (const step of [json({ error: 'USER_FROZEN' }, 403), networkFailure('ECONNREFUSED')]) {
      const fetch = scripted(networkFailure('ECONNRESET'), step, json({ error: 'USER_FROZEN' }, 403));
      const payments = clientOf(fetch, { retries: 0, sleep: () => undefined });
      await failure(payments.transfers.create(transferParams));
      const error = await failure(payments.transfers.create(transferParams));
      expect(await payments.resolve(error)).toMatchObject({ state: 'undecided', evidence: 'none' });
    }
  });

  it('is undecided about a known id, sends nothing more, and tells what to do', async () => {
    const { emulator, payments, pay, made } = bench({ dialect: { duplicates: 'refuse' } });
    emulator.faults.inject(lost);
    await pay();
    const before = emulator.requests().length;
    const resolution = await payments.resolve(await pay());
    expect(resolution).toMatchObject({ state: 'undecided', evidence: 'none' });
    expect(resolution.next).toContain('do not use a new requestId');
    expect(emulator.requests().length).toBe(before + 1);
    expect(made()).toBe(1);
  });

  it('asks the lookup until it can tell', async () => {
    const { emulator, payments, pay } = bench({ dialect: { duplicates: 'refuse' } });
    emulator.faults.inject(lost);
    const first = await pay();
    const lookup = vi.fn(({ requestId }: { requestId: string | undefined }): LookupResult => {
      if (lookup.mock.calls.length === 1) throw new Error('the database is down');
      if (lookup.mock.calls.length < 4) return undefined;
      return emulator
        .state()
        .transfers.find(({ transferDetails }) => transferDetails.requestId === requestId);
    });
    const resolution = await payments.resolve(first, { lookup });
    expect(resolution).toMatchObject({ state: 'made', evidence: 'lookup' });
    expect(resolution.record).toMatchObject({ transferDetails: { requestId: transferParams.requestId } });
    expect(lookup).toHaveBeenCalledTimes(4);
    expect(lookup.mock.calls[0]?.[0]).toMatchObject({ operation: 'transfers.create', error: first });
  });

  it('believes a lookup that is certain that nothing was made', async () => {
    const { payments, pay, emulator } = bench({ dialect: { duplicates: 'refuse' } });
    emulator.faults.inject(lost);
    await pay();
    const known = await pay();
    const resolution = await payments.resolve(known, { lookup: () => 'not-made' });
    expect(resolution).toMatchObject({ state: 'not-made', evidence: 'lookup' });
  });

  it('sends nothing more to the address that a redirect led to', async () => {
    const followed = () => Object.defineProperty(Response.json({}), 'redirected', { value: true });
    const fetch = scripted(networkFailure('ECONNRESET'), followed);
    const payments = clientOf(fetch, { retries: 0, sleep: () => undefined });
    const pay = () => failure(payments.transfers.create(transferParams));
    const lost = await pay();
    expect(await payments.resolve(await pay())).toMatchObject({ state: 'undecided' });
    expect(fetch.seen).toHaveLength(2);
    expect(await payments.resolve(lost)).toMatchObject({ state: 'undecided' });
    expect(fetch.seen).toHaveLength(3);
  });

  it('never sends a decision or an account again', async () => {
    const fetch = scripted(networkFailure('ECONNRESET'));
    const payments = clientOf(fetch);
    for (const call of [payments.approvals.approve('a1'), payments.approvals.reject('a1')]) {
      const resolution = await payments.resolve(await failure(call));
      expect(resolution.state).toBe('undecided');
      expect(resolution.next).toContain('List the pending approvals');
    }
    expect(fetch.seen).toHaveLength(2);
    const settled = await payments.resolve(await failure(payments.approvals.approve('a1')), {
      lookup: () => ({ approvalId: 'a1', status: 'APPROVED' }),
    });
    expect(settled).toMatchObject({ state: 'made', evidence: 'lookup', record: { status: 'APPROVED' } });
    expect(fetch.seen).toHaveLength(3);
  });

  it('is undecided at its deadline, and ends with the signal', async () => {
    const { emulator, pay } = bench();
    const waiting = clientOf(emulator.fetch, { retries: 0 });
    emulator.faults.inject({ ...never, times: 1_000 });
    const error = await pay(waiting);
    expect(await waiting.resolve(error, { deadline: 100 })).toMatchObject({ state: 'undecided' });
    const hangs = waiting.resolve(error, { deadline: 100, lookup: () => new Promise(() => undefined) });
    expect(await hangs).toMatchObject({ state: 'undecided' });
    const signal = AbortSignal.abort('enough');
    expect(await failure(waiting.resolve(error, { signal }))).toMatchObject({ name: 'AbortedError' });
  });

  it('has only the lookup for an error that lost its call, and for a payload that was not sent', async () => {
    const { payments, pay, emulator, params } = bench();
    emulator.faults.inject(lost);
    const error = await pay();
    const copy = Object.create(error) as PaymentsError;
    expect(await payments.resolve(copy)).toMatchObject({ state: 'undecided' });
    const reused = await failure(payments.transfers.create({ ...params, amount: 999 }));
    expect(reused.code).toBe('request_id_reused');
    expect(await payments.resolve(reused)).toMatchObject({ state: 'undecided' });
    expect(emulator.requests().filter(({ operation }) => operation === 'transfers.create')).toHaveLength(1);
  });

  it('passes on what is no error of this package', async () => {
    const { payments } = bench();
    const mistake = new RangeError('mine');
    await expect(payments.resolve(mistake)).rejects.toBe(mistake);
  });

  it('leaves nothing of the call on the error', async () => {
    const { emulator, pay, userId } = bench();
    emulator.faults.inject(lost);
    const error = await pay();
    const printed = inspect(error, { depth: 20, showHidden: true }) + JSON.stringify(error);
    expect(printed).not.toContain(userId);
    expect(printed).not.toContain(token);
  });

  it('is there on a composed client, too', async () => {
    const fetch = scripted(
      networkFailure('ECONNRESET'),
      json({ transferDetails: { id: 't1', status: 'CREATED' } }),
    );
    const client = createClient({ transfers: Transfers }, { baseUrl, accessToken: token, fetch, retries: 0 });
    const error = await failure(client.transfers.create(transferParams));
    expect((await client.resolve(error)).state).toBe('made');
  });

  it('takes a success under the id for the truth, whatever a later call met', async () => {
    const fetch = scripted(
      json({ transferDetails: { id: 't1', status: 'CREATED' } }),
      json({ error: 'USER_FROZEN' }, 403),
    );
    const payments = clientOf(fetch, { retries: 0 });
    await payments.transfers.create(transferParams);
    const error = await failure(payments.transfers.create(transferParams));
    const lookup = vi.fn();
    expect(await payments.resolve(error)).toMatchObject({ state: 'made', evidence: 'error' });
    expect(await payments.resolve(error, { lookup })).toMatchObject({ state: 'made', evidence: 'error' });
    expect(lookup).not.toHaveBeenCalled();
    expect(fetch.seen).toHaveLength(2);
  });

  it('lets a lookup contradict a refusal, and takes the refusal where the lookup finds nothing', async () => {
    const payments = clientOf(scripted(json({ error: 'INSUFFICIENT_BALANCE' }, 400)), { retries: 0 });
    const error = await failure(payments.transfers.create(transferParams));
    expect(await payments.resolve(error, { lookup: () => null })).toMatchObject({
      state: 'not-made',
      evidence: 'error',
    });
    const { requestId } = transferParams;
    expect(await payments.resolve(error, { lookup: () => ({ id: 't1', requestId }) })).toMatchObject({
      state: 'made',
      evidence: 'lookup',
    });
  });

  it.each([
    { error: 'ACCOUNT_NOT_FOUND' },
    { status: 'error', error: { code: 'ACCOUNT_NOT_FOUND', message: 'No such account.' } },
  ])('sends a deletion again, and takes %j for its success', async (gone) => {
    const fetch = scripted(networkFailure('ECONNRESET'), json(gone, 404));
    const payments = clientOf(fetch, { retries: 0 });
    const error = await failure(payments.accounts.delete('u1', 'a1'));
    expect(await payments.resolve(error)).toMatchObject({ state: 'made', evidence: 'response' });
    expect(fetch.seen.map(({ method }) => method)).toEqual(['DELETE', 'DELETE']);
  });

  it('is undecided about a deletion that is refused, and tells to look first', async () => {
    const fetch = scripted(networkFailure('ECONNRESET'), json({ error: 'FORBIDDEN' }, 403));
    const payments = clientOf(fetch, { retries: 0 });
    const error = await failure(payments.accounts.delete('u1', 'a1'));
    expect(await payments.resolve(error)).toMatchObject({
      state: 'undecided',
      next: 'Look before you send it again.',
    });
  });

  it('speaks of no requestId where the parameters of an account are wrong', async () => {
    const payments = clientOf(scripted(json({})));
    const error = await failure(payments.accounts.create('', usParams));
    expect(await payments.resolve(error)).toMatchObject({
      state: 'undecided',
      next: 'Correct what the error names, then send it again.',
    });
  });

  it('keeps the requestId of wrong parameters whose key may have paid', async () => {
    const payments = clientOf(scripted(networkFailure('ECONNRESET')), { retries: 0 });
    await failure(payments.transfers.create(transferParams));
    const error = await failure(payments.transfers.create({ ...transferParams, amount: -1 }));
    expect(error).toMatchObject({
      code: 'invalid_request',
      outcome: 'unknown',
      requestId: transferParams.requestId,
    });
    expect((await payments.resolve(error)).next).toContain(`with the same requestId ${error.requestId}`);
  });

  it.each([400, 401, 403, 404, 422])(
    'sends a create no third time where the second meets %i',
    async (status) => {
      const fetch = scripted(networkFailure('ECONNRESET'), json({ error: 'USER_NOT_FOUND' }, status));
      const payments = clientOf(fetch, { retries: 0 });
      const error = await failure(payments.transfers.create(transferParams));
      expect(await payments.resolve(error)).toMatchObject({ state: 'undecided', evidence: 'none' });
      expect(fetch.seen).toHaveLength(2);
    },
  );

  it('says nothing of a payment where an account was made, and rejected', async () => {
    const payments = clientOf(scripted(networkFailure('ECONNRESET')), { retries: 0 });
    const error = await failure(payments.accounts.create('u1', usParams));
    const lookup = () => ({ id: 'a1', status: 'REJECTED', invalidFields: ['email'] });
    const { ended, next, state } = await payments.resolve(error, { lookup });
    expect({ state, ended, next }).toEqual({
      state: 'made',
      ended: undefined,
      next: 'Do not send it again: store the record.',
    });
  });

  it('tells to list the accounts before one is created again', async () => {
    const fetch = scripted(networkFailure('ECONNRESET'));
    const payments = clientOf(fetch, { retries: 0 });
    const error = await failure(payments.accounts.create('u1', usParams));
    expect(await payments.resolve(error)).toMatchObject({
      state: 'undecided',
      next: "List the user's accounts before you create it again.",
    });
    expect(fetch.seen).toHaveLength(1);
  });

  it.each<[string, unknown, string]>([
    ['a lookup that is no function', { lookup: 'SELECT 1' }, '`lookup` must be a function'],
    ['a limit that is none', { deadline: -1 }, '`deadline` must be a number of milliseconds from 100'],
    ['a wait that is none', { interval: '2s' }, '`interval` must be a number above 0'],
    ['a signal that is none', { signal: {} }, '`signal` must be an AbortSignal'],
    ['options that are none', () => 'not-made', 'the options must be an object'],
    ['options of a call, which would do nothing', { accessToken: 't' }, '`accessToken` is not an option'],
    ['more options of a call', { retries: 3 }, '`retries` is not an option'],
  ])('refuses %s, and says that the payment is still unknown', async (_what, options, words) => {
    const { payments, pay, emulator } = bench();
    emulator.faults.inject(lost);
    const refused = await failure(payments.resolve(await pay(), options as ResolveOptions));
    expect(refused).toMatchObject({
      code: 'invalid_request',
      operation: 'resolve',
      field: 'options',
      outcome: 'unknown',
      requestId: transferParams.requestId,
    });
    expect(refused.message).toContain(words);
    expect(refused.message).not.toContain('Nothing was sent');
  });
});
