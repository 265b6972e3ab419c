import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { chromium } from 'playwright-core';
import { here } from './project.ts';
import type { Result, Surroundings } from './suite.ts';

/** How long a process may live on after its last word: sockets that are kept for reuse must not keep it. */
const mayLinger = 5_000;

/** Runs the suite in a process, which then has to end by itself. */
export async function inProcess(
  command: string,
  args: readonly string[],
  project: string,
  at: Surroundings,
): Promise<Result[]> {
  const child = spawn(command, [...args, JSON.stringify(at)], {
    cwd: project,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1' },
  });
  let complaints = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaints += chunk.toString();
  });
  const exit = new Promise<number | string>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? signal ?? 'no status'));
  });
  let results: Result[] | undefined;
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => {
    if (line.startsWith('[{')) results = JSON.parse(line);
  });
  await Promise.race([new Promise((resolve) => lines.once('line', resolve)), exit]);
  const started = Date.now();
  const timer = setTimeout(() => child.kill('SIGKILL'), mayLinger);
  const status = await exit;
  clearTimeout(timer);
  if (results === undefined) throw new Error(`It ended with ${status} and without results.\n${complaints}`);
  const end: Result = { title: 'ends by itself once the work is done', milliseconds: Date.now() - started };
  if (status !== 0) end.error = `it ended with ${status} after ${end.milliseconds} ms ${complaints}`;
  return [...results, end];
}

/** Runs the suite in a Worker, and then what Workers alone can get wrong: state that requests share. */
export async function inWorkerd(project: string, at: Surroundings): Promise<Result[]> {
  writeFileSync(
    join(project, 'workerd.capnp'),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "network", network = (allow = ["private", "local", "public"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "worker.js")],
  compatibilityDate = "2026-10-01",
  globalOutbound = "network",
);
`,
  );
  const child = spawn(join(here, 'node_modules/.bin/workerd'), ['serve', '--control-fd=3', 'workerd.capnp'], {
    cwd: project,
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
  });
  try {
    const port = await portFrom(child.stdio[3] as Readable);
    const ask = async (path: string): Promise<Result[]> => {
      const body = JSON.stringify(at);
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', body });
      const text = await response.text();
      if (!response.ok) throw new Error(`The Worker answered ${response.status}: ${text}`);
      return JSON.parse(text);
    };
    const results = await ask('/');
    await ask('/shared');
    return [...results, ...(await ask('/shared'))];
  } finally {
    child.kill();
  }
}

async function portFrom(control: Readable): Promise<number> {
  for await (const line of createInterface({ input: control })) {
    const { event, port }: { event: string; port: number } = JSON.parse(line);
    if (event === 'listen') return port;
  }
  throw new Error('workerd did not start.');
}

const chromiums = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Runs the suite in a page of headless Chromium. */
export async function inChromium(origin: string, at: Surroundings): Promise<Result[]> {
  const executablePath = process.env.CHROMIUM ?? chromiums.find((path) => existsSync(path));
  if (executablePath === undefined)
    throw new Error(
      'There is no Chromium: apt-get install -y --no-install-recommends chromium, or set CHROMIUM.',
    );
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage();
    await page.goto(origin);
    return await page.evaluate((surroundings) => {
      const run: (at: Surroundings) => Promise<Result[]> = Reflect.get(globalThis, 'runSuite');
      return run(surroundings);
    }, at);
  } finally {
    await browser.close();
  }
}
