/** Runs a program of the docs in the reader's browser, against an emulator in memory. Nothing leaves the page. */
import { mood, since } from '../../../page/format.ts';
import { doneIn, rowsOf, seenIn } from '../../../page/moments.ts';
import * as client from '../../../src/client/index.ts';
import * as emulation from '../../../src/emulator/index.ts';
import type { RecordView } from '../../../src/emulator/page/record-view.ts';

/** One line of the timeline. */
export interface Line {
  time: string;
  since: string;
  saw: { what: string; response: string; mood: string; fault: string } | undefined;
  did: { text: string; status: string; mood: string }[];
}

export interface Ran {
  /** What the program printed, and why it stopped, if it did. */
  printed: string[];
  failed: boolean;
  timeline: Line[];
}

const AsyncFunction: FunctionConstructor = Object.getPrototypeOf(async () => {}).constructor;

export async function runProgram(code: string): Promise<Ran> {
  let emulator = emulation.createEmulator();
  const printed: string[] = [];
  const print = (...values: unknown[]): void => void printed.push(values.map(textOf).join(' '));
  /** The emulator stands for every address, and the guard for browsers is lifted: the token is of no use. */
  class PaymentsClient extends client.PaymentsClient {
    constructor(options: client.PaymentsClientOptions) {
      super({ fetch: emulator.fetch, ...options, dangerouslyAllowBrowser: true });
    }
  }
  const modules = {
    'stablecoin-payments': { ...client, PaymentsClient },
    'stablecoin-payments/emulator': {
      ...emulation,
      createEmulator: (options?: emulation.EmulatorOptions) => {
        emulator = emulation.createEmulator(options);
        return emulator;
      },
    },
  };
  let failed = false;
  try {
    await new AsyncFunction('modules', 'console', code)(modules, { log: print, error: print, warn: print });
  } catch (error) {
    failed = true;
    print(String(error));
  }
  return { printed, failed, timeline: await timelineOf(emulator) };
}

const textOf = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);

/** What happened to the payments of the first user. */
async function timelineOf(emulator: emulation.Emulator): Promise<Line[]> {
  const [user] = emulator.state().users;
  if (user === undefined) return [];
  const response = await emulator.fetch(`http://emulator/_emulator/records/${user.id}`);
  const { timeline }: RecordView = await response.json();
  const rows = rowsOf(timeline.filter(({ isControl }) => isControl !== true));
  return rows.map((row, place) => {
    const { words, facts } = doneIn(row);
    const before = rows[place - 1]?.at;
    const seen = row.client === undefined ? undefined : seenIn(row.client);
    return {
      time: row.at.slice(11, 23),
      since: before === undefined ? '' : since(before, row.at),
      saw: seen === undefined ? undefined : { ...seen, mood: mood(seen.response) },
      did: [
        ...[words, facts].filter((text) => text !== '').map((text) => ({ text, status: '', mood: '' })),
        ...row.service.map(({ what, title, list }) =>
          what === 'status'
            ? { text: NOUNS[list] ?? list, status: title, mood: mood(title) }
            : { text: title, status: '', mood: '' },
        ),
      ],
    };
  });
}

const NOUNS: Readonly<Record<string, string>> = {
  transfers: 'Transfer',
  approvals: 'Approval',
  onramps: 'Onramp',
  accounts: 'Account',
};
