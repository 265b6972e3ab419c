import { describe, expect, it } from 'vitest';
import {
  accountIdOf,
  approvalExpiresAt,
  approvalOf,
  canRefreshQuote,
  isActiveAccount,
  isFailedOnramp,
  isKnownOnrampStatus,
  isTerminalOnramp,
  paymentResult,
  quoteExpiresAt,
  reconcile,
  redact,
  requestIdFrom,
} from '../../src/client/index.ts';
import { createEmulator } from '../../src/emulator/index.ts';
import { transferOf } from '../fixtures/params.ts';
import { clientOf, failure } from './support.ts';

const helpers = {
  accountIdOf,
  approvalExpiresAt,
  approvalOf,
  canRefreshQuote,
  isActiveAccount,
  isFailedOnramp,
  isKnownOnrampStatus,
  isTerminalOnramp,
  paymentResult,
  quoteExpiresAt,
  requestIdFrom,
};

// Issue 60: the helpers "name the missing `await` at run time".
describe('a promise in place of its result', () => {
  it.each(Object.entries(helpers))('is refused with the missing await: %s', async (name, helper) => {
    const emulator = createEmulator();
    const call = clientOf(emulator.fetch).transfers.create(transferOf(emulator.createUser().userId));
    for (const promise of [call, Promise.resolve(1), Promise.reject(new Error('unheard'))]) {
      const error = await failure(() => Reflect.apply(helper, undefined, [promise]));
      expect(error).toMatchObject({ name: 'InvalidRequestError', outcome: 'unknown' });
      expect(error.message).toContain(`Write \`${name}(await …)\``);
    }
    // The call itself goes on, and can still be awaited.
    expect((await call).transferDetails.id).toBe(emulator.state().transfers[0]?.transferDetails.id);
  });

  it.each([
    [Promise.resolve([]), []],
    [[], Promise.resolve([])],
  ])('is refused by reconcile: %#', async (rows, records) => {
    const error = await failure(Reflect.apply(reconcile, undefined, [rows, records]).next());
    expect(error).toMatchObject({ name: 'InvalidRequestError', outcome: 'unknown' });
    expect(error.message).toContain('Write `reconcile(await …)`');
  });

  it('is named in a log line, which must not fail', () => {
    const named = '[promise: the `await` is missing]';
    expect(redact(Promise.resolve({ email: 'ada' }))).toBe(named);
    expect(redact({ user: { record: Promise.resolve('ada') } })).toEqual({ user: { record: named } });
  });
});
