import {
  APIError,
  isPaymentsError,
  NotFoundError,
  PaymentsClient,
  ResponseValidationError,
} from 'stablecoin-payments';
import { transferOf } from './calls.ts';
import { type Case, equal, failsWith, failure, holds } from './check.ts';
import { type Scene, token } from './scene.ts';

const statuses: readonly (readonly [status: number, name: string, outcome: string])[] = [
  [400, 'BadRequestError', 'rejected'],
  [401, 'AuthenticationError', 'rejected'],
  [403, 'PermissionDeniedError', 'rejected'],
  [404, 'NotFoundError', 'rejected'],
  [409, 'ConflictError', 'rejected'],
  [422, 'UnprocessableEntityError', 'rejected'],
  [429, 'RateLimitError', 'rejected'],
  [500, 'InternalServerError', 'unknown'],
  [503, 'InternalServerError', 'unknown'],
];

/** What errors say on every platform: their class, what became of the money, and nothing secret. */
export const failures: readonly Case<Scene>[] = [
  {
    title: "names every refusal by its status, with the service's own code",
    run: async (scene) => {
      const { kyc } = scene.client({ retries: 0 });
      for (const [status, name, outcome] of statuses) {
        await scene.inject({ operation: 'kyc.retrieve', kind: 'status', status });
        const error = await failsWith(kyc.retrieve('u'), name, outcome);
        holds(error instanceof APIError, `${name} is an APIError`);
        equal(error.status, status, 'the status');
        holds(error.service.code !== undefined, `${status} has the service's code`);
      }
      const error = await failure(kyc.retrieve('nobody'));
      holds(error instanceof NotFoundError && isPaymentsError(error), 'instanceof and the guard agree');
    },
  },
  {
    title: 'refuses wrong parameters before anything is sent',
    run: async (scene) => {
      const payments = scene.client();
      const wrong = { ...transferOf('u'), amount: -1 };
      const error = await failsWith(payments.transfers.create(wrong), 'InvalidRequestError', 'not-sent');
      holds(error.message.includes('amount'), 'the field is named');
      await failsWith(payments.approvals.list({ limit: 101 }), 'InvalidRequestError', 'not-sent');
      equal(await scene.arrivals('transfers.create'), 0, 'transfers that arrived');
    },
  },
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
    title: 'keeps a success of an unusable shape, and says that it succeeded only where the body shows it',
    run: async (scene) => {
      for (const [kind, outcome] of [
        ['html', 'unknown'],
        ['empty', 'unknown'],
        ['wrong-shape', 'succeeded'],
      ] as const) {
        const error = await failsWith(
          scene.troubled(kind).kyc.retrieve('u'),
          'ResponseValidationError',
          outcome,
        );
        holds(error instanceof ResponseValidationError, 'its class');
        if (kind === 'wrong-shape') equal(error.body, { userId: 'u' }, 'the body');
      }
      const unknown = await scene.troubled('tomorrow').kyc.retrieve('u');
      equal(Reflect.get(unknown, 'fieldOfTomorrow'), [1, { two: 2 }], 'an unknown field');
    },
  },
  {
    title: 'gives up an answer that outgrows the limit',
    run: async (scene) => {
      const payments = scene.troubled('large', { maxResponseBytes: 100_000 });
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
