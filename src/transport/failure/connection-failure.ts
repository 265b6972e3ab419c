import { ConnectionError } from '../../errors/index.ts';
import type { Finding } from '../../evidence/evidence.ts';
import { ConnectionLost } from '../attempt/wire.ts';
import { baseOf, type CallContext, hostOf, sentences, verdictOf } from './call-context.ts';
import { networkCodeOf, wasNeverSent } from './network-codes.ts';
import type { Failure } from './retry-policy.ts';

/** Turns what the network, or the caller's `fetch`, threw into an error that names the host and what it means. */
export function connectionFailure(
  thrown: unknown,
  context: CallContext,
): { error: ConnectionError; finding: Finding; failure: Failure } {
  const { call } = context;
  const lost = thrown instanceof ConnectionLost;
  const cause = lost ? thrown.caught : thrown;
  const neverSent = lost ? 'no' : wasNeverSent(cause);
  const code = networkCodeOf(cause);
  const host = hostOf(call);
  const what = {
    refused: `could not connect to ${host}`,
    forbidden: `the TLS handshake with ${host} failed`,
    no: `connection to ${host} ${code === 'ECONNRESET' ? 'was reset' : 'failed'} before a response arrived`,
  };
  const next = {
    refused: 'Check the base address and the network.',
    forbidden: 'Check the certificate.',
    no: '',
  };
  const finding = neverSent === 'no' ? 'open' : 'not-reached';
  const { outcome, meaning } = verdictOf(finding, context);
  const message = sentences(
    `${call.operation}: ${what[neverSent]}${code === undefined ? '' : ` (${code})`}.`,
    meaning,
    next[neverSent],
  );
  const failures = { no: 'ambiguous', refused: 'unreached', forbidden: 'final' } as const;
  return {
    error: new ConnectionError(message, { ...baseOf(context), outcome, cause }),
    finding,
    failure: failures[neverSent],
  };
}
