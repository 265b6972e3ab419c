import type { LastResponse } from '../observed-call.ts';
import { foreignBody } from './body.ts';
import { authentication, type Cause, type Failed, isOfNetwork, reachability } from './cause.ts';
import { isJson } from './judge.ts';
import { askOperator, capitalized, causeOfNoResponse, ofProtocol } from './no-response.ts';
import { protocolAt } from './protocol.ts';
import { isRedirect, redirectCause } from './redirect.ts';
import { causeOfStatus } from './refusal.ts';
import { nameAfterStatus, saidOf } from './said.ts';
import { timeOfToken } from './token.ts';

/** Statuses that speak of the server or of the token, and not of one operation or one user. */
const decidedCause: readonly number[] = [401, 407, 421, 426, 429, 503, 505, 511];

/** Returns true if another read would fail for the same cause. */
export function isDecided({ error, response, isSilent }: Failed): boolean {
  if (response === undefined || isSilent) return true;
  const { status } = response;
  return (
    isRedirect(status) ||
    decidedCause.includes(status) ||
    isOfNetwork(status) ||
    (foreignBody(error)?.kind === 'page' && [200, 400, 403].includes(status))
  );
}

/** What was called, and with which token. `now`: the time of this machine. */
interface Called {
  readonly baseUrl: string;
  readonly accessToken: string;
  readonly now: number;
}

/** Returns the cause of the failures: all of the first reads failed, or the last one shows the cause by itself. */
export async function causeOf(
  failures: readonly [Failed, ...Failed[]],
  { baseUrl, accessToken, now }: Called,
): Promise<Cause> {
  const [first] = failures;
  const last = failures.at(-1) ?? first;
  const { response, isSilent } = last;
  const { host } = new URL(baseUrl);
  const part = response === undefined ? 'no response' : 'only a part of the response';
  if (isSilent) return reachability(`${host} sends ${part} within 30 s. ${capitalized(askOperator)}`);
  if (response === undefined) return reachability(await causeOfNoResponse(last.error, baseUrl));
  if (isRedirect(response.status)) return reachability(redirectCause(response, baseUrl));
  const protocol = mayBeOtherProtocol(response) ? await protocolAt(baseUrl) : undefined;
  if (protocol !== undefined) return reachability(ofProtocol[protocol](host));
  const named = failures.some((failed) => failed.response?.status !== response.status) ? first : last;
  const { status, headers } = named.response ?? response;
  const sent = Date.parse(headers.get('date') ?? '');
  const time = timeOfToken(accessToken, Number.isNaN(sent) ? now : sent);
  if (time !== undefined && refusesToken(named, status))
    return authentication(
      `${time.what} (HTTP ${status}${nameAfterStatus(named.error, named.response)}). ${time.remedy}`,
    );
  return causeOfStatus(named, failures, baseUrl);
}

/** Returns true for a refusal that a token can cause, if it is not the page of somebody else. */
function refusesToken({ error }: Failed, status: number): boolean {
  if (foreignBody(error)?.kind === 'page') return false;
  const { name, about } = saidOf(error);
  if (about === 'token') return true;
  if (status < 300) return name !== undefined;
  return status < 500 && ![404, 407, 429].includes(status);
}

/** Some servers refuse HTTP/1.1, or a request without TLS, with a page of their own. */
const mayBeOtherProtocol = (response: LastResponse): boolean =>
  [421, 426, 505].includes(response.status) || (response.status === 400 && !isJson(response));
