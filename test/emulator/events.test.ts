import type { EmulatorEvent } from 'stablecoin-payments/emulator';
import { describe, expect, it } from 'vitest';
import { bench, onramp, START, transfer, US_ACCOUNT, withUser } from './support.ts';

describe('events', () => {
  it('tell of an approval from its creation to its decision, with what consumers use', async () => {
    const { call, emulator, userId } = withUser();
    const heard: EmulatorEvent[] = [];
    emulator.events.on((event) => heard.push(event));
    const decide = async (decision: string, comment?: string) => {
      const { body } = await call(
        'POST',
        '/v2/wallets/transfers',
        transfer(userId, { requireApproval: true }),
      );
      const { approval } = body.transferDetails.receipt;
      await call(
        'POST',
        `/v2/transfer-approvals/${approval.id}/${decision}`,
        comment === undefined ? undefined : { comment },
      );
      return approval;
    };
    const first = await decide('approve');
    await decide('reject', 'too much');
    expect(heard.map(({ eventType, data }) => [eventType, data.comment])).toEqual([
      ['TRANSFER.APPROVAL.PENDING', null],
      ['TRANSFER.APPROVAL.APPROVED', null],
      ['TRANSFER.APPROVAL.PENDING', null],
      ['TRANSFER.APPROVAL.REJECTED', 'too much'],
    ]);
    expect(heard[0]).toEqual({
      eventId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      eventType: 'TRANSFER.APPROVAL.PENDING',
      data: {
        transferId: first.transferId,
        approvalId: first.id,
        transferType: 'WALLET.TRANSFER',
        status: 'PENDING_APPROVAL',
        amount: 25,
        currency: 'usdc',
        chain: 'POLYGON',
        destination: { userId },
        initiatorId: userId,
        comment: null,
      },
      createdAt: START,
    });
    expect((await call('GET', '/_emulator/events')).body.events).toEqual(heard);
    expect(new Set(heard.map(({ eventId }) => eventId)).size).toBe(4);
  });

  it('tell of records that exist, so that a listener can move them on', async () => {
    const { call, emulator } = bench({ dialect: { eventKinds: 'all' } });
    const found: unknown[] = [];
    emulator.events.on(({ eventType, data }) => {
      const { users, onramps } = emulator.state();
      if (eventType === 'USER.STATUS.CREATE') found.push(users.map(({ id }) => id === data.userId));
      if (eventType === 'ONRAMP.TRANSACTION.CREATED') found.push(onramps.map(({ id }) => id === data.id));
    });
    const { userId } = emulator.createUser({ rails: ['usd'] });
    await call('POST', '/v2/onramps', onramp(userId));
    expect(found).toEqual([[true], [true]]);
  });

  it('can be held, and released in another order and several times', async () => {
    const { call, emulator, userId } = withUser({ rails: ['usd'] });
    const heard: string[] = [];
    const stop = emulator.events.on(({ eventId }) => heard.push(eventId));
    const emit = async (count: number) => {
      for (let i = 0; i < count; i += 1) await call('POST', `/v2/users/${userId}/accounts`, US_ACCOUNT);
      return emulator.events
        .list()
        .slice(-count)
        .map(({ eventId }) => eventId);
    };
    expect((await call('POST', '/_emulator/events/hold')).body).toEqual({ held: true });
    const ids = await emit(3);
    expect(heard).toEqual([]);
    const released = await call('POST', '/_emulator/events/release', { order: 'reversed', copies: 2 });
    expect(released.body).toEqual({ delivered: 6 });
    expect(heard.splice(0)).toEqual(ids.toReversed().flatMap((id) => [id, id]));
    emulator.events.hold();
    const more = await emit(8);
    emulator.events.release({ order: 'shuffled' });
    expect(heard).not.toEqual(more);
    expect(heard.splice(0).sort()).toEqual(more.sort());
    expect(emulator.events.release()).toBe(0);
    expect((await call('POST', '/_emulator/events/release', { copies: 0 })).status).toBe(400);
    expect(() => emulator.events.release({ copies: 11 })).toThrow(
      'copies: must be a whole number from 1 to 10',
    );
    stop();
    await emit(1);
    expect(heard).toEqual([]);
  });

  it('are not lost to a listener that throws', async () => {
    const { call, emulator, userId } = withUser({ rails: ['usd'] });
    const heard: string[] = [];
    emulator.events.on(() => {
      throw new Error('listener');
    });
    emulator.events.on(({ eventType }) => heard.push(eventType));
    expect((await call('POST', `/v2/users/${userId}/accounts`, US_ACCOUNT)).status).toBe(201);
    expect(heard).toEqual(['ACCOUNT.ONRAMP.CREATE']);
  });
});
