import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { clientOf, json, networkFailure, scripted } from './support.ts';

const answer = { userId: 'u1', kycInfo: {} };

describe('ky on a light platform', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it('makes no Request, no Headers and no AbortController of the platform’s for a call', async () => {
    const client = clientOf(async () => Response.json(answer));
    const made: string[] = [];
    const noting = (name: 'Request' | 'Headers' | 'AbortController') =>
      vi.stubGlobal(
        name,
        new Proxy(globalThis[name], {
          construct: (target, given) => {
            made.push(name);
            return Reflect.construct(target, given);
          },
        }),
      );
    noting('Request');
    noting('Headers');
    noting('AbortController');
    expect(new AbortController()).toBeInstanceOf(AbortController);
    expect(await client.kyc.retrieve('u1')).toEqual(answer);
    // The one of this test, and the one whose signal the given fetch gets.
    expect(made).toEqual(['AbortController', 'AbortController']);
  });

  it('still lets ky name what failed on the network', async () => {
    const fetch = scripted(networkFailure('ECONNREFUSED'), json(answer));
    const { attempts } = await clientOf(fetch).kyc.retrieve('u1').withResponse();
    expect(attempts).toBe(2);
  });

  it('is not needed: unadapted ky gives the same', () => {
    const program = `
      import { PaymentsClient } from './src/index.ts';
      const fetch = async (url, init) => Response.json({ userId: 'u1', kycInfo: { type: url + ' ' + init.method } });
      const payments = new PaymentsClient({ baseUrl: 'http://127.0.0.1:4010', accessToken: 'example', fetch });
      console.log((await payments.kyc.retrieve('u1')).kycInfo.type);`;
    const printed = execFileSync(process.execPath, ['--no-warnings', '--input-type=module', '-e', program], {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      encoding: 'utf8',
    });
    expect(printed).toBe('http://127.0.0.1:4010/v2/users/u1/kyc GET\n');
  });
});
