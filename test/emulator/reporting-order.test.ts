import { expect, test } from 'vitest';
import { bench, onramp, transfer } from './support.ts';

test.each(['onramp first', 'transfer first'])(
  'the days of a metric stand in order, with the %s',
  async (order) => {
    const { emulator, call } = bench();
    const { userId } = emulator.createUser({ rails: ['usd'] });
    const pay = {
      transfer: () => call('POST', '/v2/wallets/transfers', transfer(userId)),
      onramp: async () => {
        const { body } = await call('POST', '/v2/onramps', onramp(userId));
        emulator.advanceOnramp(body.transferDetails.id, { status: 'COMPLETED' });
      },
    };
    const isOnrampFirst = order === 'onramp first';
    await pay[isOnrampFirst ? 'onramp' : 'transfer']();
    emulator.clock.advance('1d');
    await pay[isOnrampFirst ? 'transfer' : 'onramp']();
    const { id } = emulator.createMetric({});
    const { data } = (await call('GET', `/v2/reporting/metrics/${id}/results`)).body;
    const volumes = data.map((row: { grossVolume: number }) => row.grossVolume);
    expect(volumes).toEqual(isOnrampFirst ? [100.5, 25] : [25, 100.5]);
  },
);
