import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { peek } from '../../src/shared/errors/foreign-values.ts';
import { operations } from './operations.ts';
import { baseUrl, json, scripted, token } from './support.ts';

// A fresh copy of the client, whose schemas are not built yet, on a library that can be taken out.
beforeEach(() => vi.resetModules());
afterEach(() => {
  vi.doUnmock('zod/mini');
  vi.doUnmock('ky');
  vi.resetModules();
});

const takenOut = () => {
  throw new Error('taken out');
};

/** The functions of a module, each of which throws from the moment that it is taken out. */
function removable<Module extends object>(module: Module, isOut: () => boolean): Module {
  const wrapped = Object.entries(module).map(([name, value]) => [
    name,
    // A class of zod is called with `new`, or named only; a function of it builds a schema or a check.
    typeof value === 'function' && /^[a-z]/.test(name)
      ? (...given: unknown[]) => (isOut() ? takenOut() : Reflect.apply(value, module, given))
      : value,
  ]);
  return Object.fromEntries(wrapped);
}

describe('no operation works', () => {
  it.each(operations)('without zod: $name', async (operation) => {
    let isOut = false;
    vi.doMock('zod/mini', async (original) => removable(await original<object>(), () => isOut));
    const { PaymentsClient } = await import('../../src/client/index.ts');
    const fetch = scripted(json(operation.response));
    const client = new PaymentsClient({ baseUrl, accessToken: token, fetch });
    isOut = true;
    const thrown: unknown = await (async () => operation.call(client))().catch((error: unknown) => error);
    expect(peek(thrown, 'originalError') ?? thrown).toEqual(new Error('taken out'));
  });

  it.each(operations)('without ky: $name', async (operation) => {
    vi.doMock('ky', () => ({ default: { create: () => takenOut } }));
    const { PaymentsClient } = await import('../../src/client/index.ts');
    const fetch = scripted(json(operation.response));
    const client = new PaymentsClient({ baseUrl, accessToken: token, fetch });
    await expect(operation.call(client, { retries: 0 })).rejects.toThrow();
    expect(fetch.seen).toEqual([]);
  });
});
