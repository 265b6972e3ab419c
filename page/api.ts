import { field } from './read.ts';

/** Wherever the emulator is mounted, its routes stand beside its page. */
export const BASE = location.pathname.replace(/\/_emulator\/?$/, '');

const KEY = 'emulator-token';

/** The token that this tab uses, where the emulator asks for one. A link may bring it behind `#token=`. */
function storedToken(): string | null {
  const given = /^#token=(.+)$/.exec(location.hash)?.[1];
  if (given !== undefined) {
    storeToken(decodeURIComponent(given));
    history.replaceState(null, '', `${location.pathname}#overview`);
  }
  return sessionStorage.getItem(KEY);
}

/** Returns true if this tab has a token to send. */
export const hasToken = (): boolean => storedToken() !== null;

export function storeToken(token: string): void {
  sessionStorage.setItem(KEY, token);
}

/** The emulator refused a request. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** A request to the control routes. */
export async function send(
  method: string,
  path: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<unknown> {
  const token = storedToken();
  const timeout = AbortSignal.timeout(20_000);
  const response = await fetch(`${BASE}/_emulator${path}`, {
    method,
    signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    headers: {
      'x-emulator-page': '1',
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (response.ok) return text === '' ? null : JSON.parse(text);
  throw new Refusal(response.status, messageOf(text) ?? `the emulator responded with ${response.status}`);
}

/** The sentence of a refusal, whatever the shape of its body. */
function messageOf(text: string): string | undefined {
  try {
    return messageIn(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** The sentence in the body of a refusal, and the fields at fault. */
export function messageIn(body: unknown): string | undefined {
  const error = field(body, 'error');
  const candidates = [field(error, 'message'), field(body, 'errorDetails'), field(body, 'message'), error];
  const sentence = candidates.find((candidate): candidate is string => typeof candidate === 'string');
  const details = field(error, 'details') ?? field(body, 'details');
  if (sentence === undefined || typeof details !== 'object' || details === null) return sentence;
  // The emulator's sentence names the fields already; that of an added route may not.
  const fields = Object.entries(details)
    .filter(([name]) => !sentence.includes(name))
    .map(([name, problem]) => `${name} ${String(problem)}`);
  return fields.length === 0 ? sentence : `${sentence}: ${fields.join(', ')}`;
}
