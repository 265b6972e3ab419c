import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';

const entry = fileURLToPath(new URL('../../src/webhooks/index.ts', import.meta.url));

/** What a bundler makes of a program: the file that runs, and the chunks that are loaded on demand. */
async function bundle(program: string, splitting: boolean) {
  const { outputFiles } = await build({
    stdin: {
      contents: program.replace('@', JSON.stringify(entry)),
      resolveDir: fileURLToPath(new URL('.', import.meta.url)),
    },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    splitting,
    outdir: '/out',
  });
  const [main, ...chunks] = outputFiles.map(({ text }) => text);
  return { main: main ?? '', chunks };
}

// What only the signer has: the prefix of the ids that it makes up, its error, and the class that makes tokens.
const signing = ['msg_${', 'Name the scheme to sign with', 'SignJWT'];
const has = (text: string) => signing.filter((mark) => text.includes(mark));

describe('the bundle of a receiver', () => {
  it.each([
    ['in one file', false],
    ['in the file that runs, beside chunks', true],
  ])('carries none of the code that signs, %s', async (_name, splitting) => {
    const { main } = await bundle(
      `import { createWebhookReceiver, standardWebhooks, jwtBearer } from @;
       export const receiver = (secret, publicKey) =>
         [createWebhookReceiver({ verifier: standardWebhooks({ secret }) }), jwtBearer({ publicKey, bodyBinding: 'none' })];`,
      splitting,
    );
    expect(main).toContain('webhook_bad_signature');
    expect(has(main)).toEqual([]);
  });

  it('carries it where something is signed, without an import at run time', async () => {
    const { main } = await bundle(`export { signWebhook } from @;`, true);
    expect(has(main)).toEqual(signing);
    expect(main).not.toMatch(/\bimport\(/);
  });
});
