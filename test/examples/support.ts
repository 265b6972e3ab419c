import { type ClientOptions, PaymentsClient } from 'stablecoin-payments';
import { createEmulator, type Emulator, type EmulatorOptions } from 'stablecoin-payments/emulator';

/** Lets a service return its records with another status, such as one of a payment that is over. */
export const showing =
  (emulator: Emulator, status: string) =>
  async (...request: Parameters<Emulator['fetch']>): Promise<Response> => {
    const record = await (await emulator.fetch(...request)).json();
    record.transferDetails.status = status;
    return Response.json(record);
  };

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
