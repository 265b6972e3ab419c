import type { IncomingMessage } from 'node:http';
import type { FetchLike } from 'stablecoin-payments';
import type { Report } from '../../../src/command/doctor/report.ts';
import { type DoctorSurroundings, runDoctor } from '../../../src/command/doctor/run-doctor.ts';

export interface Run {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly report: Report;
}

interface Options extends Partial<Pick<DoctorSurroundings, 'fetch' | 'now' | 'sleep' | 'onInterrupt'>> {
  readonly args?: readonly string[];
  readonly env?: Record<string, string | undefined>;
  /** Called with everything that has been printed, after each line. */
  readonly onPrint?: (text: string) => void;
}

/** Runs the doctor in this process. */
export async function run({ args = [], env = {}, onPrint, ...surroundings }: Options): Promise<Run> {
  const out = { stdout: '', stderr: '' };
  const write = (stream: 'stdout' | 'stderr') => ({
    write: (text: string) => {
      out[stream] += text;
      onPrint?.(out.stdout);
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
    ...surroundings,
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

/** The levels of a check's findings. */
export const levelsOf = ({ findings }: Report, check: string): string[] =>
  findings.filter((finding) => finding.check === check).map(({ level }) => level);

/** The sentences of a check's findings. */
export const wordsOf = ({ findings }: Report, check: string): string =>
  findings
    .filter((finding) => finding.check === check)
    .map(({ message }) => message)
    .join('\n');
