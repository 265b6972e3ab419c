import { isPaymentsError } from 'stablecoin-payments';
import type { Dialect, FaultSpec } from 'stablecoin-payments/emulator';
import {
  type EmulatorServer,
  type EmulatorServerOptions,
  startEmulatorServer,
} from 'stablecoin-payments/emulator/node';
import { clientAt } from '../client/support.ts';
import type { Column, Expectation } from './expectations.ts';
import { limitsOf } from './limits.ts';
import type { OperationUnderTest, ReadyCall } from './operations.ts';
import type { Trouble } from './troubles.ts';

/** What was seen when a trouble befell a call. */
export interface CellResult extends Expectation {
  /** Requests of the operation that the emulator counted. */
  arrived: number;
  /** The bodies that the attempts carried, where they went through a fetch of the caller's. */
  bodies: unknown[];
  /** Milliseconds that the call took. */
  duration: number;
}

/** Ports that no system hands out by itself and nobody listens on; in turn, as cells that run at once are processes of their own. */
let nowhere = 0;
const unreachable = () =>
  `http://127.0.0.1:${[2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 26, 27, 28, 29, 30, 31, 32][nowhere++ % 17]}`;

/** How the cells of a matrix are run. */
export interface Setting {
  /** What the service does with an idempotency id that comes again. */
  duplicates: Dialect['duplicates'];
  /** Whether the attempts go through a fetch of the caller's, and not the client's own way to the network. */
  throughFetch: boolean;
}

interface Served {
  server: EmulatorServer;
  /** Told of each request by the cell that uses the server. */
  notice: { request: NonNullable<EmulatorServerOptions['onRequest']> };
}

/** The servers that no cell uses now: to start one takes longer than most calls. */
const idle: Record<Dialect['duplicates'], Served[]> = { replay: [], refuse: [] };

async function startServer(duplicates: Dialect['duplicates']): Promise<Served> {
  const notice: Served['notice'] = { request: () => undefined };
  const server = await startEmulatorServer({
    accountValidation: 'manual',
    // A refusal whose body is cut can be told only by its status, and faults strike the `id` of an account.
    dialect: { duplicates, duplicateStatus: 409, accountForm: 'status' },
    onRequest: (request) => notice.request(request),
  });
  return { server, notice };
}

export async function closeServers(): Promise<void> {
  await Promise.all([...idle.replay, ...idle.refuse].map(({ server }) => server.close()));
}

/** Makes one call over a real socket, to an emulator in which nothing has happened. */
export async function runCell(
  operation: OperationUnderTest,
  trouble: Trouble,
  column: Column,
  { duplicates, throughFetch }: Setting,
): Promise<CellResult> {
  const limits = limitsOf(trouble);
  const served = idle[duplicates].pop() ?? (await startServer(duplicates));
  const { server, notice } = served;
  const { emulator } = server;
  emulator.reset();
  const call = await operation.prepare(emulator);
  let arrived = 0;
  notice.request = ({ operation: name, fault }) => {
    if (name === operation.name) arrived += 1;
    if (fault?.startsWith('stall')) setImmediate(limits.runOut);
  };
  for (const fault of faultsOf(trouble, column))
    emulator.faults.inject({ ...fault, operation: operation.name });
  let tokens = 0;
  const bodies: unknown[] = [];
  const recordingFetch = (url: string, init: RequestInit) => {
    bodies.push(init.body);
    return fetch(url, init);
  };
  const payments = clientAt(trouble.unreachable ? unreachable() : server.url, {
    ...(trouble.abortBeforeRetry && { hooks: { retry: () => queueMicrotask(limits.runOut) } }),
    accessToken: trouble.tokenFunction ? () => `token-${++tokens}` : 'token',
    // A call that is aborted while it waits needs a wait.
    retries: { limit: column.retries, ...(!trouble.abortBeforeRetry && { minDelay: 1 }) },
    ...(throughFetch && { fetch: recordingFetch }),
  });
  const startedAt = performance.now();
  const ending = await endingOf(call.send(payments, limits.options));
  const duration = performance.now() - startedAt;
  const result = { ...ending, duration, done: call.timesDone(), arrived, bodies };
  notice.request = () => undefined;
  idle[duplicates].push(served);
  return result;
}

async function endingOf(
  sent: ReturnType<ReadyCall['send']>,
): Promise<Pick<Expectation, 'attempts' | 'ending' | 'outcome'>> {
  try {
    const { attempts } = await sent.withResponse();
    return { attempts, ending: 'success', outcome: 'succeeded' };
  } catch (error) {
    if (!isPaymentsError(error)) throw error;
    return { attempts: error.attempts, ending: error.name, outcome: error.outcome };
  }
}

function faultsOf({ faults }: Trouble, { everyTime }: Column): FaultSpec[] {
  const last = faults.at(-1);
  if (last === undefined) return [];
  return [...faults.slice(0, -1), { ...last, times: everyTime ? 100 : 1 }];
}

/** Runs tasks side by side, so many at once, and gives their results in order. */
export async function inParallel<T>(most: number, tasks: readonly (() => Promise<T>)[]): Promise<T[]> {
  const results: T[] = [];
  const waiting = tasks.entries();
  const work = async () => {
    for (const [index, task] of waiting) results[index] = await task();
  };
  await Promise.all(Array.from({ length: most }, work));
  return results;
}
