import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../docs/documents.ts';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json',
};

export const dist = join(root, 'docs/.vitepress/dist');

/** The former addresses, which lead to the pages that took their place. */
export const redirects: readonly string[] = Object.keys(
  JSON.parse(readFileSync(join(root, 'docs/moved.json'), 'utf8')),
).map((path) => path.replace(/\.md$/, '.html'));

/** The pages of the site, as paths from its root. */
export const pagesOf = (): string[] =>
  readdirSync(dist, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.html') && file !== '404.html' && !redirects.includes(file))
    .sort();

/** Builds the site, unless `DOCS_BUILT` says that `npm run docs` has just done it. */
export async function buildSite(): Promise<void> {
  if (process.env.DOCS_BUILT === '1' && existsSync(dist)) return;
  await promisify(execFile)('npm', ['run', 'docs', '--silent'], { cwd: root, maxBuffer: 64 * 1024 * 1024 });
}

/** Serves the built site on a free port of this machine. */
export async function serveSite(): Promise<{ origin: string; close(): void }> {
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url ?? '/', 'http://site').pathname));
    const file = join(dist, path.endsWith('/') ? `${path}index.html` : path);
    if (!existsSync(file)) {
      response.writeHead(404, { 'content-type': 'text/html' }).end(readFileSync(join(dist, '404.html')));
      return;
    }
    response.writeHead(200, { 'content-type': types[extname(file)] ?? 'text/plain' }).end(readFileSync(file));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close() };
}
