import type { PaymentsClient } from 'stablecoin-payments';
import { isRecord, jsonIn } from '../../shared/values.ts';
import type { Emulator } from '../emulator.ts';
import { connectionReset } from '../http/fault-effects.ts';
import type { World } from './options.ts';
import type { Line } from './points.ts';
import { type Rows, rowText, storeOf } from './rows.ts';
import { FAILURES, type Failure, type PointKind } from './schedule.ts';
import { never, turns, within } from './turns.ts';

/** The real time after which a process that neither ends nor dies is given up, in milliseconds. */
const PATIENCE = 10_000;

/** A lost response is waited for so much longer than the timeout of the client, in milliseconds of real time. */
const LONGER = 200;

/** A write is pending for so long. A program that awaits it waits; what one does meanwhile, a crash may come before. */
const WRITE = 3;

/** A request that can be sent at any time. */
export interface Sent {
  readonly url: string;
  readonly init: { method: string; headers: Headers; body: ArrayBuffer | null };
}

/** The run around a process. */
export interface Surroundings {
  readonly emulator: Emulator;
  readonly rows: Rows;
  readonly users: { readonly payer: string; readonly payee: string };
  /** The timeout of the client, in milliseconds. */
  readonly timeout: number;
  /** Counts a point, and returns what happens there. */
  point(
    kind: PointKind,
    offers: readonly Failure[],
    text: string,
  ): { failure: Failure | undefined; line: Line };
  /** Runs `pay` in another process, whole. */
  other(): Promise<void>;
  /** Sends a request to the service. */
  serve(sent: Sent): Promise<Response>;
  /** Delivers the events that come before the response, and what comes of them. */
  early(): Promise<void>;
}

/** How a process ended. */
export type Ending<T> =
  | { readonly how: 'returned'; readonly value: T }
  | { readonly how: 'threw'; readonly error: unknown }
  | { readonly how: 'died' }
  | { readonly how: 'hung' };

/** A process of the program: a client, a connection to the rows, and an end. Once dead, nothing that it calls answers. */
export class Process {
  readonly world: World;
  /** Requests that arrive only after the process has ended. */
  readonly late: Sent[] = [];
  readonly #run: Surroundings;
  readonly #death = Promise.withResolvers<{ how: 'died' }>();
  #isDead = false;
  /** The calls under way, and the writes among them. */
  #open = 0;
  #unwritten = 0;
  #hasWorked = false;
  /** Other processes that run while this one stands still. */
  #still: Promise<void> | undefined;

  constructor(run: Surroundings, Client: typeof PaymentsClient) {
    this.#run = run;
    const fetch: World['fetch'] = (input, init) => this.#fetch(new Request(input, init));
    let payments: PaymentsClient | undefined;
    this.world = {
      // Made when it is first used: most handlers of events need none.
      get payments() {
        payments ??= new Client({
          baseUrl: 'http://localhost',
          accessToken: 'token',
          fetch,
          retries: 0,
          timeout: run.timeout,
          dangerouslyAllowBrowser: true,
        });
        return payments;
      },
      fetch,
      store: storeOf(
        run.rows,
        (_key, access) => this.#read(access),
        (key, access) => this.#write(key, access),
      ),
      ...run.users,
      now: () => run.emulator.clock.now().getTime(),
    };
  }

  die(): void {
    this.#isDead = true;
    this.#death.resolve({ how: 'died' });
  }

  /** Runs the process to its end: until its work returns or throws, and what it did not await is done, or until it dies. */
  async live<T>(work: (world: World) => Promise<T>): Promise<Ending<T>> {
    const working = (async () => work(this.world))().then(
      (value): Ending<T> => ({ how: 'returned', value }),
      (error: unknown): Ending<T> => ({ how: 'threw', error }),
    );
    const end = Promise.race([working, this.#death.promise]);
    const ending = await within<Ending<T>, Ending<T>>(end, PATIENCE, { how: 'hung' });
    // What it did not await begins now, at the latest.
    await turns(2);
    if (this.#isDead) return ending;
    if (this.#hasWorked && ending.how !== 'hung') {
      const offers = this.#open > 0 ? FAILURES.end : withoutLoss(FAILURES.end);
      const { failure } = await this.#pass('end', offers, words(ending));
      if (failure === 'write-lost') this.die();
      if (this.#isDead) return failure === 'crash' ? { how: 'died' } : ending;
      await this.#quiet();
    }
    this.die();
    return ending;
  }

  /** Waits until nothing is under way. */
  async #quiet(): Promise<void> {
    for (let idle = 0; idle < 5 && !this.#isDead; idle += 1) {
      if (this.#open > 0) idle = 0;
      await turns(1);
    }
  }

  /** Lets other processes run. Meanwhile a client may give up by real time: what follows comes when they have ended. */
  async #standStill(others: Promise<void>): Promise<void> {
    const still = others.finally(() => {
      if (this.#still === still) this.#still = undefined;
    });
    this.#still = still;
    await still;
  }

  /** Comes to a point. Returns what fails there, and its line, or never, if the process dies. */
  async #pass(kind: PointKind, offers: readonly Failure[], text: string) {
    if (this.#still !== undefined) await this.#still;
    if (this.#isDead) return never<ReturnType<Surroundings['point']>>();
    const isEnd = kind === 'end';
    this.#hasWorked = true;
    const point = this.#run.point(kind, offers, text);
    if (point.failure === 'other') await this.#standStill(this.#run.other());
    if (point.failure === 'crash') {
      point.line.came += ' | dies before';
      this.die();
    }
    if (this.#isDead && !isEnd) return never<typeof point>();
    return point;
  }

  async #read<T>(access: () => T): Promise<T> {
    if (this.#still !== undefined) await this.#still;
    if (this.#isDead) return never();
    await turns(1);
    return this.#isDead ? never() : access();
  }

  async #write<T>(key: string, access: () => T): Promise<T> {
    this.#open += 1;
    this.#unwritten += 1;
    try {
      const { line } = await this.#pass('write', FAILURES.write, key);
      await turns(WRITE);
      if (this.#isDead) return await never();
      const written = access();
      line.step += ` = ${rowText(this.#run.rows.get(key))}`;
      return written;
    } finally {
      this.#open -= 1;
      this.#unwritten -= 1;
    }
  }

  async #fetch(request: Request): Promise<Response> {
    this.#open += 1;
    try {
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      const kind = isRead ? 'read' : 'request';
      const offers = this.#unwritten > 0 ? FAILURES[kind] : withoutLoss(FAILURES[kind]);
      const { pathname } = new URL(request.url);
      const { failure, line } = await this.#pass(kind, offers, `${request.method} ${pathname}`);
      // Another process has run meanwhile: a client that has given up sends nothing.
      request.signal.throwIfAborted();
      const body = isRead ? null : await request.arrayBuffer();
      line.step += whatIn(body);
      const sent = { url: request.url, init: { method: request.method, headers: request.headers, body } };
      const response = await this.#exchange(sent, failure, line, request.signal);
      return this.#isDead ? await never() : response;
    } catch (error) {
      return this.#isDead ? await never() : await Promise.reject(error);
    } finally {
      this.#open -= 1;
    }
  }

  /** Sends a request, and lets its failure happen. */
  async #exchange(
    sent: Sent,
    failure: Failure | undefined,
    line: Line,
    signal: AbortSignal,
  ): Promise<Response> {
    const seen = (text: string): void => {
      line.came += ` | client: ${text}`;
    };
    if (failure === 'reset-before') {
      line.came += ' | service: nothing arrives';
      seen('connection reset');
      throw connectionReset();
    }
    if (failure === '429' || failure === '401') {
      this.#run.emulator.faults.inject({ kind: 'status', status: Number(failure) });
      return this.#serve(sent, line);
    }
    if (failure === 'late') {
      line.came += ' | service: nothing arrives yet';
      this.late.push(sent);
      return this.#lose(signal, seen);
    }
    if (failure === 'write-lost') {
      line.came += ' | the process dies, and its write is lost';
      this.die();
    }
    const response = await this.#serve(sent, line);
    if (failure === 'reset-after') {
      seen('connection reset');
      throw connectionReset();
    }
    if (failure === '503') {
      seen('503');
      return new Response('Service Unavailable', { status: 503 });
    }
    if (failure === 'slow') return this.#lose(signal, seen);
    if (failure !== 'no-id' && failure !== 'odd-field') return response;
    seen(failure === 'no-id' ? 'no id' : 'a status that is a number');
    return edited(response, failure);
  }

  /** Waits until the client gives up, or longer than its timeout: a client of the program's own may wait for ever. */
  async #lose(signal: AbortSignal, seen: (text: string) => void): Promise<never> {
    const aborted = new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    await within(aborted, this.#run.timeout + LONGER, undefined);
    // A blocked process runs all its timers at once: the client's counts first.
    await turns(20);
    seen(signal.aborted ? 'no response in time' : 'connection reset');
    signal.throwIfAborted();
    throw connectionReset();
  }

  async #serve(sent: Sent, line: Line): Promise<Response> {
    const response = await this.#run.serve(sent);
    const text = await response.text();
    await this.#standStill(this.#run.early());
    line.came += ` | service: ${summary(response, jsonIn(text))}`;
    return new Response(text === '' ? null : text, response);
  }
}

function words(ending: Ending<unknown>): string {
  if (ending.how === 'threw') return `throws ${ending.error}`;
  return ending.how === 'returned' && ending.value !== undefined ? `says '${ending.value}'` : 'returns';
}

const withoutLoss = (offers: readonly Failure[]) => offers.filter((failure) => failure !== 'write-lost');

/** A response without the id of its record, or with a status that is no text. */
async function edited(response: Response, failure: 'no-id' | 'odd-field'): Promise<Response> {
  const body = jsonIn(await response.text());
  const record = isRecord(body) && isRecord(body.transferDetails) ? body.transferDetails : body;
  if (isRecord(record)) {
    if (failure === 'odd-field') record.status = 12_345;
    else for (const name of ['id', 'accountId', 'approvalId']) delete record[name];
  }
  return new Response(JSON.stringify(body), response);
}

/** The amount and the key of a request, in a few words. */
function whatIn(bytes: ArrayBuffer | null): string {
  const body = bytes === null ? undefined : jsonIn(new TextDecoder().decode(bytes));
  if (!isRecord(body)) return '';
  const { requestId, amount, currency } = body;
  const sum = typeof amount === 'number' ? `, ${amount} ${currency ?? ''}`.trimEnd() : '';
  return typeof requestId === 'string' ? `${sum}, key ${requestId.slice(0, 8)}…` : sum;
}

/** What a response says, in a few words. */
function summary({ status, headers }: Response, body: unknown): string {
  const error = isRecord(body) ? body.error : undefined;
  const name = isRecord(error) ? error.code : error;
  const isAgain = headers.get('idempotent-replay') !== null;
  const details = isRecord(body) && isRecord(body.transferDetails) ? body.transferDetails : body;
  const state = isRecord(details) && typeof details.status === 'string' ? details.status : undefined;
  const words = [status, typeof name === 'string' ? name : state, isAgain ? 'again' : undefined];
  return words.filter((word) => word !== undefined).join(' ');
}
