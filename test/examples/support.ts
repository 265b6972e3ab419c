import { type ClientOptions, PaymentsClient } from 'stablecoin-payments';
import { createEmulator, type EmulatorOptions } from 'stablecoin-payments/emulator';

/** An emulator whose time stands still, a user on both rails, and a client that does not wait between attempts. */
export function stage(options: EmulatorOptions = {}, client: ClientOptions = {}) {
  const emulator = createEmulator({ seed: 7, accountValidation: 0, ...options });
  const { userId } = emulator.createUser({ rails: ['usd', 'africa'] });
  const payments = new PaymentsClient({
    baseUrl: 'http://localhost',
    accessToken: 'any',
    fetch: emulator.fetch,
    retries: 0,
    ...client,
  });
  return { emulator, payments, userId };
}
