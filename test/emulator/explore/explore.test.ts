import { type ExploreOptions, explore, type World } from 'stablecoin-payments/emulator';
import { describe, expect, test } from 'vitest';
import { cases } from '../../cases.ts';
import { claim, KEY, order, payOnce } from './support.ts';

const again = () => 'ask-again' as const;
const pay = (world: World) => payOnce(world);
const always = (said: unknown) => async () => said as 'accepted';

/** Pays again after each restart. */
const twice: ExploreOptions['pay'] = ({ payments, ...world }) =>
  claim(payments.transfers.create(order(world, crypto.randomUUID())), again);

describe('options', () => {
  test.each([
    [{}, '`pay`'],
    [{ pay, depht: 1 }, 'Did you mean `depth`?'],
    [{ pay, dialect: 'field' }, '`dialect` is not an option'],
    [{ pay, depth: 5 }, '`depth` must be a whole number from 0 to 4, but is 5'],
    [{ pay, processes: 3 }, '`processes` must be 1 or 2'],
    [{ pay, hear: true }, '`hear` must be a function'],
    [{ pay, schedule: 'crash' }, "`schedule` must begin with 'replay' or 'refuse'"],
    [{ pay, schedule: 'replay 2:crush' }, "Did you mean 'crash'?"],
    [{ pay, schedule: 'replay 3:crash 2:crash' }, 'ascending order'],
    [{ pay, schedule: 3 }, "`schedule` must be a line such as 'replay 2:crash'"],
  ])('%o is refused: %s', async (options, message) => {
    const call = explore(options as unknown as ExploreOptions);
    await expect(call).rejects.toThrow(message);
    await expect(call).rejects.toBeInstanceOf(TypeError);
  });

  test('a depth of 0 runs each way of the service once', async () => {
    expect(await explore({ pay, depth: 0 })).toEqual({ schedules: 2, wrong: [] });
  });
});

describe('the run without failures', () => {
  test.each([
    ['another word', always('paid'), "`pay` must return 'accepted', 'not-made' or 'ask-again', and not paid"],
    ['not-made', always('not-made'), "'not-made' without a failure"],
    ['no payment', always('accepted'), 'no payment was made'],
    ['a throw, for ever', async () => Promise.reject(new RangeError('no row')), 'asks again for ever'],
  ])('must be right: %s', async (_what, pay, message) => {
    await expect(explore({ pay })).rejects.toThrow(message);
  });

  test('must pass the check, which may throw', async () => {
    await expect(explore({ pay, check: () => 'no receipt' })).rejects.toThrow('no receipt');
    const check = () => {
      throw new Error('expected 1 to be 2');
    };
    await expect(explore({ pay, check })).rejects.toThrow('expected 1 to be 2');
  });

  test('shows its story: what throws, and that nothing ends', async () => {
    const pay = async ({ store }: World) => {
      await store.set('inv-7', { at: new Date(0), sum: 10n });
      throw new RangeError('no such row');
    };
    await expect(explore({ pay })).rejects.toThrow(
      /1 write {3}inv-7 = \{"at":"1970-01-01T00:00:00.000Z","sum":"10n"\}\n.*throws RangeError: no such row/,
    );
  });
});

test('tells a program that pays in one mode of the service alone', async () => {
  const { wrong } = await explore({
    pay: async (world) => {
      const { response } = await world.payments.transfers
        .create(order(world), { inDoubt: true })
        .withResponse();
      // A creation is a 200 in the field dialect.
      return response.status === 201 ? 'accepted' : 'ask-again';
    },
  });
  expect(wrong[0]).toMatchObject({ what: 'asks again for ever', schedule: 'refuse' });
  const refusing = await explore({
    pay: async (world) => {
      const { payments } = world;
      const users = await payments.kyc.retrieve(world.payer).asResponse();
      // The field dialect writes a form for the questionnaire, the other null.
      if ((await users.text()).includes('"sofEuQuestionnaire":{')) return 'not-made';
      return payOnce(world);
    },
  });
  expect(refusing.wrong[0]).toMatchObject({ what: "'not-made' without a failure", schedule: 'refuse' });
});

test('tells a shortest schedule, and what the service did beside what the client saw', async () => {
  const { wrong } = await explore({ pay: twice });
  expect(wrong).toEqual([
    { what: 'paid twice', schedule: 'replay 1:reset-after', story: expect.stringContaining('pay again:') },
  ]);
  const lines = wrong[0]?.story.split('\n') ?? [];
  expect(lines[2]).toMatch(
    /^ {3}1 request POST \/v2\/wallets\/transfers, 25 usdc, key [0-9a-f]{8}… \| reset-after \| service: 201 CREATED \| client: connection reset$/,
  );
  expect(lines.at(-1)).toBe('wrong: paid twice');
});

describe('schedules', () => {
  test('runs a line alone', async () => {
    expect(await explore({ pay: twice, schedule: 'refuse 2:crash' })).toMatchObject({
      schedules: 1,
      wrong: [{ what: 'paid twice', schedule: 'refuse 2:crash' }],
    });
    expect(await explore({ pay, schedule: 'replay 2:crash' })).toEqual({ schedules: 1, wrong: [] });
  });

  test.each([
    ['replay 9:crash', 'There are only 4 points'],
    ['replay 1:slow', "Point 1 is a write, where 'slow' cannot happen"],
    ['replay 1:other', "Point 1 is a write, where 'other' cannot happen"],
  ])('says that the program does not fit the line: %s', async (schedule, why) => {
    const { wrong } = await explore({ pay, schedule });
    expect(wrong).toEqual([{ what: 'a replay differs', schedule, story: expect.stringContaining(why) }]);
  });

  test('says that a program depends on memory: its points change', async () => {
    let runs = 0;
    const { wrong } = await explore({
      pay: async (world) => {
        runs += 1;
        if (runs % 2 === 0) await world.store.set('log', runs);
        return payOnce(world);
      },
    });
    expect(wrong.map(({ what }) => what)).toContain('a replay differs');
  });

  test('says that a mistake did not come again', async () => {
    let runs = 0;
    const { wrong } = await explore({
      pay: async (world) => {
        runs += 1;
        return payOnce(world, runs === 3 ? '00000000-0000-4000-8000-000000000000' : KEY);
      },
      check: async ({ store }) => ((await store.get(KEY)) === undefined ? 'no row' : undefined),
    });
    expect(wrong.map(({ what }) => what)).toEqual(['no row (a replay differs)']);
    expect(wrong[0]?.story).toContain('the program depends on time, chance or memory');
  });

  test('are the same in each run', async () => {
    const runs = [await explore({ pay, depth: 1 }), await explore({ pay, depth: 1 })];
    expect(runs[0]).toEqual(runs[1]);
    expect(runs[0]?.schedules).toBeGreaterThan(20);
  });
});

describe('a process', () => {
  test('that dies gets no answer any more, and the next one has the rows, a new client and an hour more', async () => {
    const clients = new Set<unknown>();
    const starts: [number, unknown][] = [];
    const after: string[] = [];
    await explore({
      schedule: 'replay 2:crash',
      pay: async (world) => {
        clients.add(world.payments);
        starts.push([world.now(), await world.store.get('begun')]);
        await world.store.set('begun', true);
        const said = await claim(world.payments.transfers.create(order(world), { inDoubt: true }));
        after.push(said);
        return said;
      },
    });
    // The first two starts are of the run without failures, and of the one that dies.
    expect(clients.size).toBe(3);
    expect(starts.slice(1)).toEqual([
      [Date.parse('2025-12-31T23:30:00Z'), undefined],
      [Date.parse('2026-01-01T00:30:00Z'), true],
    ]);
    expect(after).toEqual(['accepted', 'accepted']);
  });

  // It waits 10 seconds of real time: a fake clock is what `explore` does not look at.
  test.runIf(cases(0, 1))('that never ends is an error that says so', async () => {
    await expect(explore({ pay: () => new Promise(() => {}) })).rejects.toThrow(
      "a process did not end within 10 seconds (schedule 'replay')",
    );
  });
});

describe('rows', () => {
  const run = (use: (store: World['store']) => Promise<void>) =>
    explore({
      depth: 0,
      pay: async (world) => {
        await use(world.store);
        return payOnce(world);
      },
    });

  test('are copies', async () => {
    const row = { list: [1] };
    await run(async (store) => {
      const write = store.set('row', row);
      row.list.push(2);
      await write;
      row.list.pop();
      const got = await store.get<{ list: number[] }>('row');
      expect(got).toEqual({ list: [1] });
      got?.list.push(3);
      expect(await store.get('row')).toEqual({ list: [1] });
    });
  });

  test('are deleted by undefined, and changed in one transaction', async () => {
    await run(async (store) => {
      await store.set('row', undefined);
      const add = () => store.update<number>('row', (sum = 0) => sum + 1);
      expect(await Promise.all([add(), add(), add()])).toEqual([1, 2, 3]);
      await store.set('row', undefined);
      expect(await store.get('row')).toBeUndefined();
    });
  });

  test('a change that is a promise is refused', async () => {
    await expect(run((store) => store.update('row', async () => 1).then(() => {}))).rejects.toThrow(
      '`change` must return the row, and not a promise of it',
    );
  });
});

describe('events', () => {
  test('of plain transfers reach the handler in both modes', async () => {
    const heard = new Set<string>();
    await explore({
      pay,
      depth: 0,
      hear: async ({ eventType, data }) => void heard.add(`${eventType} ${data.status}`),
    });
    expect([...heard]).toEqual([
      'WALLET.TRANSFER.CREATE CREATED',
      'WALLET.TRANSFER.UPDATE INITIATED',
      'WALLET.TRANSFER.UPDATE PENDING',
      'WALLET.TRANSFER.UPDATE COMPLETED',
      'WALLET.TRANSFER.CREATE NOT_INITIATED',
      'WALLET.TRANSFER.UPDATE CREATED',
    ]);
  });

  test('that come early are handled before the response, with the decision of a colleague', async () => {
    const seen: string[] = [];
    await explore({
      schedule: 'replay 3:early',
      pay: async (world) => {
        const said = await payOnce(world, KEY, (payments, inDoubt) =>
          payments.transfers.create({ ...order(world), requireApproval: true }, { inDoubt }),
        );
        seen.push('response');
        return said;
      },
      hear: async ({ eventType }) => void seen.push(eventType),
    });
    const early = seen.slice(seen.lastIndexOf('WALLET.TRANSFER.CREATE'));
    expect(early.slice(0, 4)).toEqual([
      'WALLET.TRANSFER.CREATE',
      'TRANSFER.APPROVAL.PENDING',
      'WALLET.TRANSFER.UPDATE',
      'TRANSFER.APPROVAL.APPROVED',
    ]);
    expect(early.at(-1)).toBe('response');
  });
});
