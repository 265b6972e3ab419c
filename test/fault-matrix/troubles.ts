import type { FaultSpec } from 'stablecoin-payments/emulator';

/** Something that goes wrong: faults in the order in which they strike, and what the client is set to meanwhile. */
export interface Trouble {
  /** One to an attempt. "Every time" repeats the last of them without end. */
  faults: readonly FaultSpec[];
  /** Which limit ends a stalled attempt. It does so as soon as the service has the request, so that no clock decides. */
  patience?: 'timeout' | 'deadline' | 'signal';
  /** A token function instead of a token, so that a 401 can be cured. */
  tokenFunction?: true;
  /** The caller gives up while the client waits for its next attempt. */
  abortBeforeRetry?: true;
  /** Nothing listens where the client calls. */
  unreachable?: true;
  /** Milliseconds that must pass before the second attempt. */
  leastWait?: number;
}

const status = (code: number, more: Partial<FaultSpec> = {}): Trouble => ({
  faults: [{ kind: 'status', status: code, ...more }],
});
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000).toUTCString();

/** By the names under which they stand in the table of expectations. */
export const troubles: Readonly<Record<string, () => Trouble>> = {
  latency: () => ({ faults: [{ kind: 'latency', latency: 100 }] }),
  'nothing listens': () => ({ faults: [], unreachable: true }),
  'reset-before-commit': () => ({ faults: [{ kind: 'reset-before-commit' }] }),
  'reset-after-commit': () => ({ faults: [{ kind: 'reset-after-commit' }] }),
  'cut-body': () => ({ faults: [{ kind: 'cut-body' }] }),
  'stall-headers': () => ({ faults: [{ kind: 'stall-headers' }], patience: 'timeout' }),
  'stall-body': () => ({ faults: [{ kind: 'stall-body' }], patience: 'timeout' }),
  'stall-headers, deadline': () => ({
    faults: [{ kind: 'stall-headers' }],
    patience: 'deadline',
  }),
  'stall-body, abort': () => ({
    faults: [{ kind: 'stall-body' }],
    patience: 'signal',
  }),
  'status 302': () => status(302),
  'status 303': () => status(303),
  'status 308': () => status(308),
  'status 400': () => status(400),
  'status 401': () => status(401),
  'status 401, token function': () => ({ ...status(401), tokenFunction: true }),
  'status 403': () => status(403),
  'status 404': () => status(404),
  'status 408': () => status(408),
  'status 409': () => status(409),
  'status 422': () => status(422),
  'status 429': () => status(429),
  'status 429, Retry-After 1': () => ({ ...status(429, { retryAfter: 1 }), leastWait: 990 }),
  'status 429, Retry-After 61': () => status(429, { retryAfter: 61 }),
  'status 500': () => status(500),
  'status 500 after commit': () => status(500, { commit: true }),
  'status 501': () => status(501),
  'status 502': () => status(502),
  'status 502 after commit': () => status(502, { commit: true }),
  'status 503': () => status(503),
  'status 503 after commit': () => status(503, { commit: true }),
  'status 503, Retry-After soon': () => status(503, { retryAfter: 'soon' }),
  'status 503, Retry-After in 2 s': () => status(503, { retryAfter: inSeconds(2) }),
  'status 503, Retry-After in 120 s': () => status(503, { retryAfter: inSeconds(120) }),
  'status 504': () => status(504),
  'status 504 after commit': () => status(504, { commit: true }),
  'malformed-json': () => ({ faults: [{ kind: 'malformed-json' }] }),
  'unknown-enum': () => ({ faults: [{ kind: 'unknown-enum' }] }),
  'unknown-field': () => ({ faults: [{ kind: 'unknown-field' }] }),
  'missing-field': () => ({ faults: [{ kind: 'missing-field' }] }),
  'wrong-type': () => ({ faults: [{ kind: 'wrong-type' }] }),
  'reset-after-commit, then 403': () => ({
    faults: [{ kind: 'reset-after-commit' }, { kind: 'status', status: 403 }],
  }),
  'reset-before-commit, then 409': () => ({
    faults: [{ kind: 'reset-before-commit' }, { kind: 'status', status: 409 }],
  }),
  '429, then reset-after-commit': () => ({
    faults: [{ kind: 'status', status: 429 }, { kind: 'reset-after-commit' }],
  }),
  'nothing listens, abort in the wait': () => ({ faults: [], unreachable: true, abortBeforeRetry: true }),
  '429, abort in the wait': () => ({ ...status(429), abortBeforeRetry: true }),
  'reset-after-commit, abort in the wait': () => ({
    faults: [{ kind: 'reset-after-commit' }],
    abortBeforeRetry: true,
  }),
  '503 with Retry-After, then 403': () => ({
    faults: [
      { kind: 'status', status: 503, retryAfter: 0 },
      { kind: 'status', status: 403 },
    ],
  }),
  '503, then 403': () => ({
    faults: [
      { kind: 'status', status: 503 },
      { kind: 'status', status: 403 },
    ],
  }),
};
