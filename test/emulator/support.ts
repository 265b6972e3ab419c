import {
  type CreateUserParams,
  createEmulator,
  type Emulator,
  type EmulatorOptions,
} from 'stablecoin-payments/emulator';
import type { Snapshot } from '../../src/emulator/state/snapshot.ts';
import { ugandanAccount } from '../fixtures/params.ts';

interface Reply {
  status: number;
  headers: Headers;
  text: string;
  // The tests read answers of many shapes by path, and state what they expect there.
  // biome-ignore lint/suspicious/noExplicitAny: an answer is whatever the wire holds
  body: any;
  /** The fields that a refusal names. */
  fields: { field: string; message: string }[];
}

export type Call = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Reply>;

export interface Bench {
  emulator: Emulator;
  call: Call;
}

export const START = '2026-03-04T12:00:00.000Z';

/** An emulator whose clock stands still, and a way to call it as a client would. */
export function bench(options: EmulatorOptions = {}): Bench {
  const emulator = createEmulator({ seed: 'tests', clock: { start: START, frozen: true }, ...options });
  return { emulator, call: caller(emulator.fetch, 'http://payments.test') };
}

/** A bench with a user, by default one without a rail. */
export function withUser(user: CreateUserParams = {}, options: EmulatorOptions = {}) {
  const tools = bench(options);
  return { ...tools, userId: tools.emulator.createUser(user).userId };
}

/** A bench with a user who has registered an account in the US. */
export async function withUsAccount(options: EmulatorOptions = {}) {
  const tools = withUser({ rails: ['usd'] }, options);
  const { body } = await tools.call('POST', `/v2/users/${tools.userId}/accounts`, US_ACCOUNT);
  return { ...tools, id: String(body.id) };
}

export function caller(fetcher: (input: string, init: RequestInit) => Promise<Response>, base: string): Call {
  return async (method, path, body, headers = {}) => {
    const response = await fetcher(`${base}${path}`, {
      method,
      headers: { authorization: 'Bearer a-token', ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const read = text === '' ? undefined : JSON.parse(text);
    const details: Record<string, string> = read?.error?.details ?? read?.details ?? {};
    const fields = Object.entries(details).map(([field, message]) => ({ field, message }));
    return { status: response.status, headers: response.headers, text, body: read, fields };
  };
}

let made = 0;
/** A fresh requestId. */
export function newId(): string {
  made += 1;
  return `00000000-0000-4000-8000-${String(made).padStart(12, '0')}`;
}

export const HOLDER = {
  type: 'individual',
  name: 'Jane Doe',
  phone: '+256 700 000 000',
  email: 'jane@example.com',
  address: ugandanAccount.accountHolder.address,
};

/** The address of a wallet that is none of the service's users. */
export const WALLET = `0x${'a1'.repeat(20)}`;

/** What a payee's bank may be told with an offramp. */
export const INSTRUCTIONS = {
  sameDayAch: true,
  achReference: 'ref',
  wireMessage: 'a message',
  sepaReference: 'reference',
  swiftReference: 's',
  swiftCharges: 'sha',
  paymentReference: 'p',
} as const;

export const US_ACCOUNT = {
  rail: 'onramp',
  type: 'us',
  accountHolder: HOLDER,
  us: {
    transferType: 'ach',
    accountType: 'checking',
    accountNumber: '000123',
    routingNumber: '021000021',
    bankName: 'A Bank',
    currency: 'usd',
  },
};

export const AFRICA_ACCOUNT = {
  rail: 'onramp',
  type: 'africa',
  accountHolder: HOLDER,
  africa: {
    financialInstitute: 'MTN',
    accountType: 'momo',
    accountNumber: '0700000000',
    currency: 'ugx',
    country: 'uga',
  },
};

export function onramp(userId: string, source: object = {}, destination: object = {}) {
  return {
    requestId: newId(),
    source: { userId, currency: 'usd', amount: 100.5, transferType: 'ach', ...source },
    destination: { userId, currency: 'usdc', chain: 'POLYGON', ...destination },
  };
}

export function transfer(userId: string, more: object = {}) {
  return {
    requestId: newId(),
    source: { userId },
    destination: { userId },
    amount: 25,
    currency: 'usdc',
    chain: 'POLYGON',
    ...more,
  };
}

export function batch(userId: string, more: object = {}) {
  const { amount: _, ...common } = transfer(userId);
  return { ...common, destination: { batch: [{ userId, amount: '25' }] }, ...more };
}

export function bridge(userId: string, more: object = {}) {
  return {
    requestId: newId(),
    amount: 25,
    source: { userId, currency: 'usdc', chain: 'POLYGON' },
    destination: { userId, currency: 'usdc', chain: 'BASE' },
    ...more,
  };
}

export function offramp(userId: string, more: object = {}, amount = 25) {
  return {
    requestId: newId(),
    source: { userId, currency: 'usdc', chain: 'POLYGON', amount },
    destination: { accountId: 'an-account', currency: 'usd' },
    ...more,
  };
}

/** A snapshot with the fields that its public type leaves out. */
export const wholeSnapshotOf = (emulator: Emulator): Snapshot =>
  JSON.parse(JSON.stringify(emulator.snapshot()));
