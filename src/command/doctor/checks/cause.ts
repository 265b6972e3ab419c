import type { PaymentsError } from 'stablecoin-payments';
import { causesOf, codeOf, nameOf, peek } from '../../../shared/errors/foreign-values.ts';
import { type LastResponse, secondsAsked } from '../observed-call.ts';
import { foreignBody } from './body.ts';
import { contentTypeOf, isJson } from './judge.ts';
import { type Protocol, protocolAt, statusWithoutToken } from './protocol.ts';
import { isRedirect, redirectCause } from './redirect.ts';
import { nameAfterStatus, saidOf } from './said.ts';
import { timeOfToken } from './token.ts';

/** One of the first reads, which failed. */
export interface Failed {
  readonly operation: string;
  readonly error: PaymentsError;
  /** Undefined if no response arrived. */
  readonly response: LastResponse | undefined;
  /** True if the doctor stopped waiting. */
  readonly isSilent: boolean;
}

/** Why nothing can be checked, with one remedy. */
export interface Cause {
  readonly check: 'reachability' | 'authentication';
  readonly message: string;
}

const someoneBefore = 'Check `baseUrl`, and the proxy or gateway before the service.';
const askOperator = 'ask the operator of the service, or of the proxy or firewall before it.';

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

/** The statuses of content delivery networks that cannot use the server behind them. */
const isOfNetwork = (status: number): boolean => status >= 520 && status <= 530;

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
  if (isSilent) return reachability(`${host} sends ${part} within 30 s. ${capital(askOperator)}`);
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
const refusesToken = ({ error }: Failed, status: number): boolean =>
  ![404, 407, 429].includes(status) &&
  (status < 300 ? saidOf(error).name !== undefined : status < 500) &&
  foreignBody(error)?.kind !== 'page';

const reachability = (message: string): Cause => ({ check: 'reachability', message });

const authentication = (message: string): Cause => ({ check: 'authentication', message });

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const ofProtocol: Readonly<Record<Protocol, (host: string) => string>> = {
  tls: (host) => `The port of ${host} speaks TLS, and \`baseUrl\` says http. Use https.`,
  http2: (host) =>
    `${host} accepts HTTP/2 only, and the client sends HTTP/1.1. Set \`baseUrl\` to an address that accepts HTTP/1.1.`,
};

const wantsCredentials = (host: string): string =>
  `A proxy before ${host} wants credentials (HTTP 407). Give the proxy its credentials.`;

/** Some servers refuse HTTP/1.1, or a request without TLS, with a page of their own. */
const mayBeOtherProtocol = (response: LastResponse): boolean =>
  [421, 426, 505].includes(response.status) || (response.status === 400 && !isJson(response));

/** The cause of a connection that failed. The client's message names the host and the code. */
async function causeOfNoResponse(error: PaymentsError, baseUrl: string): Promise<string> {
  const { host } = new URL(baseUrl);
  const causes = causesOf(error.originalError, 5);
  const alert = causes.map((cause) => String(peek(cause, 'code'))).find((code) => isAlert.test(code));
  if (alert !== undefined) return causeOfAlert(alert, host);
  // From undici 7 on, which Node has from version 24 on, the error of its parser has no code.
  const codes = causes.flatMap((cause) => codeOf(cause) ?? parserError(cause) ?? []);
  // The platform's `fetch` makes an error without a code of a 407.
  if (codes.length === 0 && (await statusWithoutToken(baseUrl)) === 407) return wantsCredentials(host);
  const code = codes.find((one) => /^(HTTPParserError$|HPE_|UND_ERR_SOCKET$|ECONNRESET$|EPIPE$)/.test(one));
  if (code === undefined) return ofClient(error);
  const protocol = await protocolAt(baseUrl);
  if (protocol !== undefined) return ofProtocol[protocol](host);
  return /^(HPE_|HTTPParserError$)/.test(code)
    ? `The port of ${host} does not speak HTTP. Check the port in \`baseUrl\`.`
    : `${host} closes the connection without a response (${code}). Try again; if it happens again, ${askOperator}`;
}

/** The codes of the alerts of TLS. OpenSSL names some after the version in which they came. */
const isAlert = /^ERR_SSL_(?:SSL\/TLS_ALERT_|SSLV3_ALERT_|TLSV1_|TLSV13_)\w{1,50}$/;

function causeOfAlert(code: string, host: string): string {
  if (code.endsWith('NO_APPLICATION_PROTOCOL')) return ofProtocol.http2(host);
  if (code.endsWith('UNRECOGNIZED_NAME'))
    return `${host} speaks TLS, and does not know this server name (${code}). Check the host in \`baseUrl\`.`;
  if (/CERTIFICATE|UNKNOWN_CA|ACCESS_DENIED/.test(code))
    return `${host} wants a client certificate (${code}). Pass a \`fetch\` that has one to the client.`;
  return `${host} refuses the TLS handshake (${code}). It accepts no TLS version or cipher of this client, or wants a client certificate.`;
}

const parserError = (thrown: unknown): string | undefined =>
  nameOf(thrown) === 'HTTPParserError' ? 'HTTPParserError' : undefined;

/** The message of the client without the operation, which is not the cause. */
const ofClient = ({ message, operation }: PaymentsError): string =>
  capital(message.replace(`${operation}: `, '')).replace(/\bthe base address\b/i, '`baseUrl`');

/** The cause of a response that cannot be used. */
function causeOfStatus(failed: Failed, failures: readonly Failed[], baseUrl: string): Cause {
  const { response, error } = failed;
  if (response === undefined) return reachability(ofClient(error));
  const { host } = new URL(baseUrl);
  const { status } = response;
  const { about } = saidOf(error, response);
  const isForeign = foreignBody(error) !== undefined;
  const type = contentTypeOf(response);
  const how = `HTTP ${status}${isForeign && type !== '' ? `, ${type}` : ''}${nameAfterStatus(error, response)}`;
  if (status === 401 && (foreignBody(error)?.kind === 'page' || hasOtherChallenge(response)))
    return reachability(
      `A gateway or proxy before ${host} wants a login of its own (${how}). Use an address in \`baseUrl\` that leads to the service itself.`,
    );
  if (about === 'profile')
    return authentication(`The profile of the token is frozen (${how}). Ask the operator of the service.`);
  if (status === 401 || (about === 'token' && !isAboutPermissions(failed)))
    return authentication(
      `The service does not accept the token (${how}). Check PAYMENTS_ACCESS_TOKEN, and that it belongs to this environment.`,
    );
  if (status === 403)
    return isForeign
      ? reachability(
          `A firewall, gateway or proxy before ${host} refuses the requests (${how}). Ask its operator to let this machine in.`,
        )
      : authentication(
          `The token may call none of ${textList(failures)} (${how}). Ask the operator of the service for its permissions.`,
        );
  if (status === 404) return reachability(causeOfNotFound(failures, baseUrl));
  if (about === 'user') return reachability(`The service refuses the user (${how}). Check --user.`);
  if (status === 407) return reachability(wantsCredentials(host));
  if (status === 511)
    return reachability(
      `The network of this machine wants a login (${how}): a captive portal responds in place of ${host}. Log in to the network, or use another one.`,
    );
  const before = `A gateway or proxy before ${host}`;
  const again = againAfter(response, isForeign ? 'of that gateway or proxy' : 'of the service');
  if (status === 429)
    return reachability(
      `${isForeign ? before : 'The service'} limits the rate of requests (${how}${again.header}). ${again.remedy}`,
    );
  if (status === 503)
    return reachability(
      `${isForeign ? `${before} says that the service is down` : 'The service is down'} (${how}${again.header}). ${again.remedy}`,
    );
  if (status === 502 || status === 504)
    return reachability(
      `The gateway before the service responds, and the service does not (HTTP ${status}). Run the doctor again later, or ask the operator of the gateway.`,
    );
  if (isOfNetwork(status))
    return reachability(
      `A content delivery network or gateway before ${host} responds, and cannot use the server behind it (${how}). Run the doctor again later, or ask the operator of that network or gateway.`,
    );
  if ([421, 426, 505].includes(status))
    return reachability(
      `${host} refuses HTTP/1.1 (HTTP ${status}). Set \`baseUrl\` to an address that accepts HTTP/1.1.`,
    );
  if (status >= 500)
    return reachability(
      isForeign
        ? `${before} fails (${how}). Ask its operator.`
        : `Every call fails in the service (${how}). Ask the operator of the service.`,
    );
  if (status >= 400 && isForeign)
    return reachability(`${before} refuses every call (${how}). Ask its operator to let this machine in.`);
  const { name } = saidOf(error, response);
  if (name !== undefined)
    return reachability(
      `The service refuses every call (${how}). Look the name up in its documentation; check PAYMENTS_ACCESS_TOKEN, and what the service asks of every request.`,
    );
  if (status >= 400)
    return reachability(
      `The service refuses every call (${how}). Check \`baseUrl\`, and what the service asks of every request.`,
    );
  return reachability(causeOfSuccess(failed, response, host));
}

/** A 403 is about permissions, unless its name says that there is no such key. */
const isAboutPermissions = ({ error, response }: Failed): boolean =>
  response?.status === 403 && !['INVALID_API_KEY', 'KEY_DOES_NOT_EXIST'].includes(saidOf(error).name ?? '');

/** The service asks for a bearer token. Any other login is that of somebody before it. */
function hasOtherChallenge({ headers }: LastResponse): boolean {
  const challenge = headers.get('www-authenticate') ?? '';
  return challenge !== '' && !/\bbearer\b/i.test(challenge);
}

/** The cause of a 2xx that the client cannot use. */
function causeOfSuccess({ error }: Failed, response: LastResponse, host: string): string {
  const body = foreignBody(error);
  const type = contentTypeOf(response);
  const encoding = response.headers.get('content-encoding') ?? '';
  const shown = [type, /^[a-z-]{2,10}$/.test(encoding) ? encoding : ''].filter((part) => part !== '');
  if (body !== undefined)
    return `${host} responds with ${body.what} (${[`HTTP ${response.status}`, ...shown].join(', ')}), ${body.sender}. ${someoneBefore}`;
  // Without `issues` it is a connection that ended in the body.
  return 'issues' in error
    ? `${host} responds with JSON that is not of this service (HTTP ${response.status}). \`baseUrl\` is probably the address of another API.`
    : ofClient(error);
}

/** The cause of a 404. `approvals.list` has no user in its path: if it is found, or refused, the path is right. */
function causeOfNotFound(failures: readonly Failed[], baseUrl: string): string {
  const { host, pathname } = new URL(baseUrl);
  const prefix = pathname.replace(/\/$/, '');
  if (failures.some(({ response }) => response?.status !== 404))
    return 'The service does not find the user (HTTP 404). Check --user.';
  const where = `${host} has no operation of this service at ${prefix}/v2 (HTTP 404).`;
  if (prefix === '') return `${where} \`baseUrl\` probably lacks a path prefix.`;
  return prefix.endsWith('/v2')
    ? `${where} Remove /v2 from the end of \`baseUrl\`: the client adds it.`
    : `${where} The path ${prefix} of \`baseUrl\` is probably wrong.`;
}

/** When to run the doctor again. */
function againAfter(
  response: LastResponse,
  whose: string,
): { readonly header: string; readonly remedy: string } {
  const seconds = secondsAsked(response);
  return seconds === undefined
    ? { header: '', remedy: `Run the doctor again later, or ask the operator ${whose}.` }
    : {
        header: `, Retry-After ${Math.ceil(seconds)} s`,
        remedy: 'Run the doctor again after that time.',
      };
}

const textList = (failures: readonly Failed[]): string =>
  new Intl.ListFormat('en-US').format(failures.map(({ operation }) => operation));
