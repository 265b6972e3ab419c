import { describe, expect, it } from 'vitest';
import { requestId, transferParams } from '../client/operations.ts';
import { clientOf, failure, printedForms, scripted } from '../client/support.ts';

/** Values of a request that look like names of errors, and places in which a service repeats them. */
const secrets = ['SECRET_TOKEN_IN_CAPITALS', 'USER_ADA_LOVELACE', 'USER_FROZEN', requestId.toUpperCase()];
const places: readonly ((secret: string) => object)[] = [
  (error) => ({ error }),
  (error) => ({ code: 400012, error, errorDetails: `${error} is wrong` }),
  (code) => ({ status: 'error', error: { code, message: `No ${code}` } }),
  (code) => ({ code, message: code }),
  (field) => ({ error: 'FIELD_VALIDATION_ERROR', details: { [field]: field } }),
  (message) => ({ message, errors: [message], [message]: message }),
];

describe('what was sent and comes back as the name of an error', () => {
  it.each(secrets)('is printed nowhere: %s', async (secret) => {
    for (const status of [400, 401, 403, 404, 409, 422, 429, 500, 200])
      for (const place of places) {
        const params = {
          ...transferParams,
          source: { userId: secret },
          destination: { walletAddress: secret },
        };
        const client = clientOf(
          scripted(() => Response.json(place(secret), { status })),
          { retries: 0, accessToken: secret },
        );
        for (const call of [
          () => client.transfers.create(params),
          () => client.accounts.delete(secret, secret),
          () => client.request({ method: 'POST', path: '/v2/x', body: { deep: [secret] } }),
        ]) {
          const ended: unknown = await call().then(
            () => undefined,
            (error: unknown) => error,
          );
          // A deletion is proved by any object that does not say otherwise.
          if (ended === undefined) continue;
          const error = await failure(Promise.reject(ended));
          expect(printedForms(error), JSON.stringify(place(secret))).not.toContain(secret);
          // The outcome is decided by the name as it came: masking changes what is shown.
          expect(['rejected', 'unknown']).toContain(error.outcome);
        }
      }
  });

  it('leaves a name that was not sent readable, in the message and the JSON', async () => {
    const client = clientOf(scripted(() => Response.json({ error: 'USER_FROZEN' }, { status: 400 })));
    const error = await failure(client.transfers.create(transferParams));
    expect(error.message).toContain('USER_FROZEN');
    expect(JSON.parse(JSON.stringify(error)).service).toEqual({ error: 'USER_FROZEN' });
  });
});

describe('the words of a service', () => {
  it.each([
    'The bearer token has expired',
    'The quote expired at 2026-11-05T10:00:00Z',
    'Closed from 2026-12-24 to 2026-12-26',
  ])('stay readable where nothing in them was sent: %s', async (errorDetails) => {
    const body = { error: 'UNAUTHORIZED', errorDetails };
    const error = await failure(
      clientOf(scripted(() => Response.json(body, { status: 401 }))).transfers.create(transferParams),
    );
    expect(error.message).toContain(`UNAUTHORIZED – ${errorDetails}`);
  });
});
