import { explore, type World } from 'stablecoin-payments/emulator';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { claim, order, payOnce } from './support.ts';

const payAgain = (world: World) =>
  claim(world.payments.transfers.create(order(world, crypto.randomUUID())), () => 'ask-again');

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('explores while a test fakes timers', async () => {
  expect((await explore({ pay: (world) => payOnce(world), depth: 1 })).wrong).toEqual([]);
  expect((await explore({ pay: payAgain })).wrong.map((one) => one.what)).toEqual(['paid twice']);
});
