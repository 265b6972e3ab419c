import { expect, test, vi } from 'vitest';

test('the quickstart walks all sixteen operations and says so', async () => {
  const printed: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((line: unknown) => void printed.push(String(line)));
  vi.stubEnv('PAYMENTS_DIALECT_GROUP', 'quickstart');
  await import('../../examples/quickstart.ts');
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  const text = printed.join('\n');
  expect(text).toContain('all 16 operations of the service responded');
  expect(text).toContain('█');
  expect(text).not.toContain('Okello');
});
