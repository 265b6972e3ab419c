import { expect, test } from 'vitest';
import { tenantClients } from '../../examples/multi-tenant.ts';
import { stage } from './support.ts';

test('each tenant is called for with its own token, which is fetched once', async () => {
  const sent: (string | null)[] = [];
  const { emulator, payments, userId } = stage(
    {},
    {
      fetch: (url, init) => {
        sent.push(new Headers(init.headers).get('authorization'));
        return emulator.fetch(url, init);
      },
    },
  );
  const asked: string[] = [];
  const clientOf = tenantClients(payments, async (tenantId) => {
    asked.push(tenantId);
    return `token-of-${tenantId}`;
  });
  expect(clientOf('acme')).toBe(clientOf('acme'));
  await clientOf('acme').kyc.retrieve(userId);
  await clientOf('acme').kyc.retrieve(userId);
  await clientOf('globex').kyc.retrieve(userId);
  expect(sent).toEqual(['Bearer token-of-acme', 'Bearer token-of-acme', 'Bearer token-of-globex']);
  expect(asked).toEqual(['acme', 'globex']);
});

test('a token that the service refuses is replaced for its tenant alone', async () => {
  const { payments, userId } = stage({ token: ['acme-2', 'globex-1'] });
  const asked: string[] = [];
  const clientOf = tenantClients(payments, async (tenantId, { reason }) => {
    asked.push(`${tenantId} ${reason}`);
    return `${tenantId}-${reason === 'expired' ? 2 : 1}`;
  });
  await clientOf('globex').kyc.retrieve(userId);
  await clientOf('acme').kyc.retrieve(userId);
  expect(asked).toEqual(['globex initial', 'acme initial', 'acme expired']);
});
