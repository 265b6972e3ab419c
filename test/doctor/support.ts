import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FetchLike } from 'stablecoin-payments';
import type { Emulator } from 'stablecoin-payments/emulator';
import { onTestFinished } from 'vitest';
import type { Report } from '../../src/doctor/report.ts';
import { runDoctor } from '../../src/doctor/run-doctor.ts';

export interface Run {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly report: Report;
}

interface Options {
  readonly args?: readonly string[];
  readonly env?: Record<string, string | undefined>;
  readonly fetch?: FetchLike;
  readonly answer?: string;
  readonly now?: () => number;
}

/** Runs the doctor in this process, once for people and once for machines where it is asked for. */
export async function run({ args = [], env = {}, fetch, answer, now }: Options): Promise<Run> {
  const out = { stdout: '', stderr: '' };
  const write = (stream: 'stdout' | 'stderr') => ({
    write: (text: string) => {
      out[stream] += text;
      return true;
    },
  });
  const status = await runDoctor(args, {
    stdout: write('stdout'),
    stderr: write('stderr'),
    env: {
      PAYMENTS_BASE_URL: 'http://localhost:4010',
      PAYMENTS_ACCESS_TOKEN: 'planted-token',
      PAYMENTS_USER_ID: 'u-1',
      ...env,
    },
    ask: answer === undefined ? undefined : async () => answer,
    ...(fetch !== undefined && { fetch }),
    ...(now !== undefined && { now }),
  });
  const report: Report = args.includes('--json') && out.stdout !== '' ? JSON.parse(out.stdout) : undefined;
  return { status, ...out, report };
}

/** What a plain server says to one request. */
export interface PlainResponse {
  status?: number;
  body?: unknown;
  text?: string;
  headers?: Record<string, string>;
}

type Handle = (url: URL, request: Pick<IncomingMessage, 'method' | 'headers'>, text: string) => PlainResponse;

/**
 * The `fetch` of a service in this process. The doctor sends some seventy requests to a service, and a server costs
 * more than all that they test.
 */
export const inProcess =
  (handle: Handle): FetchLike =>
  async (input, init) => {
    const { method } = init;
    const sent = await new Response(init.body).text();
    const {
      status = 200,
      body,
      text,
      headers,
    } = handle(
      new URL(input),
      { headers: Object.fromEntries(new Headers(init.headers)), ...(method !== undefined && { method }) },
      sent,
    );
    return new Response(status === 204 ? null : (text ?? JSON.stringify(body)), {
      status,
      headers: { 'content-type': 'application/json', date: new Date().toUTCString(), ...headers },
    });
  };

/** A plain HTTP server that is not the emulator. */
export async function plainServer(handle: Handle): Promise<{ baseUrl: string; requests: string[] }> {
  const requests: string[] = [];
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    requests.push(`${request.method} ${url.pathname}`);
    let sent = '';
    for await (const chunk of request) sent += chunk;
    const { status = 200, body, text, headers } = handle(url, request, sent);
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(text ?? JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}`, requests };
}

/** The emulator's fetch, of which some requests get another response: a `Response`, or an error to throw. */
export function intercepted(
  emulator: Pick<Emulator, 'fetch'>,
  other: (request: Request, url: URL) => Response | Error | undefined,
): FetchLike {
  return async (input, init) => {
    const request = new Request(input, init);
    const response = other(request, new URL(request.url)) ?? (await emulator.fetch(request));
    if (response instanceof Error) throw response;
    return response;
  };
}

/** The levels of a check's findings. */
export const levelsOf = ({ findings }: Report, check: string): string[] =>
  findings.filter((finding) => finding.check === check).map(({ level }) => level);

/** The sentences of a check's findings. */
export const wordsOf = ({ findings }: Report, check: string): string =>
  findings
    .filter((finding) => finding.check === check)
    .map(({ message }) => message)
    .join('\n');
