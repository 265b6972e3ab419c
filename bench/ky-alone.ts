import { build } from 'esbuild';
import { lightKy } from '../tools/light-ky.ts';
import { here, root } from './processes.ts';

type Parts = typeof import('../src/client/wire/ky.ts') & typeof import('../src/client/wire/wire.ts');

/**
 * Sends through ky and Node's dispatcher as the client does, and parses the JSON. No retries, no limits, no checks: the least
 * that a client over ky can cost.
 */
export async function kyAlone(base: string, authorization: string) {
  const outfile = `${here}node_modules/.ky-alone/${process.pid}.mjs`;
  await build({
    stdin: {
      contents: ['wire/ky', 'wire/wire'].map((name) => `export * from './src/client/${name}.ts';`).join('\n'),
      resolveDir: root,
    },
    bundle: true,
    format: 'esm',
    target: 'node22',
    outfile,
    plugins: [lightKy],
  });
  const { createKyWire, Cancellation }: Parts = await import(outfile);
  const send = createKyWire();
  return async (method: 'GET' | 'POST', path: string, body?: string): Promise<unknown> => {
    const { text } = await send({
      url: base + path,
      method,
      headers: { authorization, ...(body !== undefined && { 'content-type': 'application/json' }) },
      body,
      cancellation: new Cancellation(),
    });
    return JSON.parse(text);
  };
}
