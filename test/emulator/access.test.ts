import { request as nodeRequest } from 'node:http';
import { networkInterfaces } from 'node:os';
import { VERSION } from 'stablecoin-payments';
import { type EmulatorServerOptions, startEmulatorServer } from 'stablecoin-payments/emulator/node';
import { afterEach, describe, expect, it } from 'vitest';
import { runCommand } from '../../src/command/emulator/command.ts';
import { parseCommand } from '../../src/command/emulator/command-options.ts';
import { clientAt } from '../client/support.ts';
import { bench } from './support.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

async function start(options: EmulatorServerOptions = {}) {
  const server = await startEmulatorServer(options);
  cleanups.push(() => server.close());
  return server;
}

/** The status of a GET whose Host header, and other headers, are free to choose. */
function status(port: number, path: string, headers: Record<string, string> = {}) {
  return new Promise<number | undefined>((resolve, reject) => {
    nodeRequest({ port, host: '127.0.0.1', path, headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });
}

const outside = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

const AUTH = { authorization: 'Bearer any' };

describe('bound to loopback', () => {
  it.each(['/v2/transfer-approvals', '/_emulator/state', '/_emulator', '/', '/elsewhere'])(
    'refuses %s under a name of another site, as DNS rebinding sends it',
    async (path) => {
      const { port } = await start();
      expect(await status(port, path, { ...AUTH, host: `evil.test:${port}` })).toBe(403);
      expect(await status(port, path, { ...AUTH, host: '169.254.1.1' })).toBe(403);
      for (const host of [`localhost:${port}`, `[::1]:${port}`, `127.0.0.1:${port}`, 'app.localhost']) {
        expect(await status(port, path, { ...AUTH, host }), host).not.toBe(403);
      }
    },
  );

  it('needs no token for the control routes, also where the service routes accept one token alone', async () => {
    const { port, token } = await start({ token: 'only' });
    expect(token).toBeUndefined();
    expect(await status(port, '/_emulator/state')).toBe(200);
    expect(await status(port, '/v2/transfer-approvals', AUTH)).toBe(401);
  });

  it.each(['', ' ', '\t'])('is what an empty host %j means', async (host) => {
    const server = await start({ host });
    expect(server.host).toBe('127.0.0.1');
    expect(parseCommand(['--host', host])).toMatchObject({ host: '127.0.0.1' });
    if (outside === undefined) return;
    await expect(fetch(`http://${outside}:${server.port}/_emulator/state`)).rejects.toThrow();
  });
});

describe('bound to another address', () => {
  it.each(['0.0.0.0', '::', '0'])('%s requires the token that it made on every route', async (host) => {
    const { port, token = '' } = await start({ host });
    expect(token).toMatch(/^[0-9a-f-]{36}$/);
    for (const path of ['/v2/transfer-approvals', '/_emulator/state', '/_emulator', '/_emulator/']) {
      expect(await status(port, path), path).toBe(401);
      expect(await status(port, path, AUTH), path).toBe(401);
      expect(await status(port, path, { authorization: `Bearer ${token}` }), path).toBe(200);
      expect(await status(port, path, { authorization: `Bearer ${token}`, host: 'payments' }), path).toBe(
        200,
      );
    }
  });

  it.each(['0.0.0.0', '::'])('%s has a URL that a client on this machine takes', async (host) => {
    const { url, token = '', emulator } = await start({ host });
    const { userId } = emulator.createUser();
    const payments = clientAt(url, { accessToken: token });
    expect((await payments.kyc.retrieve(userId)).userId).toBe(userId);
  });

  it('requires one of the listed tokens, and makes none', async () => {
    const server = await start({ host: '0.0.0.0', token: ['one', 'two'] });
    expect(server.token).toBeUndefined();
    expect(await status(server.port, '/_emulator/state', { authorization: 'Bearer two' })).toBe(200);
    expect(await status(server.port, '/_emulator/state', AUTH)).toBe(401);
  });

  it('covers an emulator that was made elsewhere', async () => {
    const { emulator } = bench();
    const { port, token = '' } = await start({ emulator, host: '0.0.0.0' });
    expect(await status(port, '/_emulator/snapshot')).toBe(401);
    expect(await status(port, '/_emulator/snapshot', { authorization: `Bearer ${token}` })).toBe(200);
    expect((await emulator.fetch('http://in.process/_emulator/state')).status).toBe(200);
  });

  it('says why a control route wants a token, and opens the page to ask for it', async () => {
    const { port } = await start({ host: '0.0.0.0' });
    const refused = await fetch(`http://127.0.0.1:${port}/_emulator/state`);
    expect((await refused.json()).errorDetails).toBe(
      'The bearer token is missing: other machines can reach this emulator, so its control routes require a token',
    );
    const page = await fetch(`http://127.0.0.1:${port}/_emulator`);
    expect(page.status).toBe(401);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await page.text()).toContain('<title>Payments emulator</title>');
  });

  it('is told by the command, with the token that it made and without one that was given', async () => {
    const greet = async (...args: string[]) => {
      let [out, end] = ['', () => {}];
      const done = runCommand(['--port', '0', '--host', '0.0.0.0', ...args], {
        stdout: {
          write: (text: string) => {
            out += text;
            if (/See it all|"listening"/.test(text)) end();
            return true;
          },
        },
        stderr: process.stderr,
        onEnd: (callback) => {
          end = callback;
          return () => {};
        },
      });
      expect(await done).toBe(0);
      return out;
    };
    const made = await greet();
    expect(made).toContain('every request, also to /_emulator, must carry a bearer token');
    const [, token = ''] = /The token of this run is (\S+)/.exec(made) ?? [];
    expect(made).toContain(`_emulator/users -H "Authorization: Bearer ${token}"`);
    const given = await greet('--token', 's3cret');
    expect(given).toContain('every request, also to /_emulator');
    expect(given).not.toContain('s3cret');
    expect(JSON.parse(await greet('--json'))).toMatchObject({ token: expect.any(String) });
  });
});

describe('paths for people', () => {
  it('lead from / to the page, which also answers at /_emulator/', async () => {
    const { emulator } = bench();
    const root = await emulator.fetch('http://payments.test/');
    expect([root.status, root.headers.get('location')]).toEqual([302, '/_emulator']);
    const [bare, slash] = await Promise.all(
      ['', '/'].map((end) => emulator.fetch(`http://payments.test/_emulator${end}`)),
    );
    expect([bare?.status, slash?.status]).toEqual([200, 200]);
    expect(await slash?.text()).toBe(await bare?.text());
  });

  it('--version prints the version of the package', () => {
    expect(parseCommand(['--version'])).toEqual({ text: `${VERSION}\n` });
  });
});
