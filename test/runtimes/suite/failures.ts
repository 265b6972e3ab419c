import { APIError, PaymentsClient } from 'stablecoin-payments';
import { transferOf } from '../../fixtures/params.ts';
import { type Case, equal, failsWith, failure, holds } from './check.ts';
import { type Scene, token } from './scene.ts';

/** What errors say on every platform: their class, what became of the money, and nothing secret. */
export const failures: readonly Case<Scene>[] = [
  {
    title: 'refuses a missing address or token, and plain http to another host',
    run: async () => {
      const dangerouslyAllowBrowser = true;
      const make = (options: object) => () =>
        new PaymentsClient({ dangerouslyAllowBrowser, accessToken: token, ...options });
      await failsWith(make({}), 'ConfigurationError', 'not-sent');
      await failsWith(make({ baseUrl: 'http://example.com' }), 'ConfigurationError', 'not-sent');
      await failsWith(
        make({ baseUrl: 'https://example.com', accessToken: '' }),
        'ConfigurationError',
        'not-sent',
      );
    },
  },
  {
    title: 'shows no secret in any printed form of an error or of the client',
    run: async (scene) => {
      const { kyc } = scene.troubled('echo-error', { retries: 0 });
      const error = await failure(kyc.retrieve('u'));
      const forms = [String(error), error.stack, JSON.stringify(error), String(error.cause)].join('\n');
      holds(!forms.includes(token), 'the token is nowhere');
      const client = scene.client();
      holds(!`${JSON.stringify(client)}${String(client)}`.includes(token), 'nor in the client');
      const lost = await failure(scene.troubled('reset', { retries: 0 }).kyc.retrieve('u'));
      holds(
        !`${JSON.stringify(lost)}${lost.stack}${String(lost.cause)}`.includes(token),
        'nor in a lost call',
      );
    },
  },
  {
    title: 'gives up an answer that outgrows the limit',
    run: async (scene) => {
      const payments = scene.troubled('large');
      const error = await failsWith(payments.kyc.retrieve('u'), 'ResponseValidationError', 'unknown');
      equal(error.attempts, 1, 'attempts');
    },
  },
  {
    title: 'follows no redirect, and carries no token elsewhere',
    run: async (scene) => {
      const userId = 'u';
      for (const kind of ['redirect-302', 'redirect-307', 'redirect-308']) {
        const error = await failure(scene.troubled(kind).transfers.create(transferOf(userId)));
        holds(error instanceof APIError, `${kind}: ${error.name}: ${error.message}`);
        // A server may redirect after it has done the work.
        equal(error.outcome, 'unknown', `${kind}: the outcome`);
        equal(error.attempts, 1, `${kind}: attempts`);
        holds(/redirect/i.test(error.message), `${kind}: the message does not say it: ${error.message}`);
      }
      equal(await scene.troubles('target'), 0, 'requests at the target');
    },
  },
];
