import type { PaymentsClient } from 'stablecoin-payments';
import type { Emulator } from 'stablecoin-payments/emulator';
import { bar } from './terminal.ts';

/** Makes two weeks of payments through the client, as data for the report. */
export async function playTwoWeeks(
  payments: PaymentsClient,
  emulator: Emulator,
  userId: string,
  progress: (part: string) => void,
): Promise<void> {
  const days = [3, 5, 4, 6, 2, 0, 1, 4, 7, 5, 8, 3, 1, 2];
  for (const [day, count] of days.entries()) {
    for (let index = 0; index < count; index += 1) {
      const { transferDetails } = await payments.onramps.create({
        source: { userId, currency: 'usd', amount: 250 + 175 * index, transferType: 'ach' },
        destination: { userId, currency: 'usdc', chain: 'POLYGON' },
      });
      emulator.simulateDeposit(transferDetails.id);
    }
    emulator.clock.advance('1d');
    progress(bar((day + 1) / days.length));
  }
}
