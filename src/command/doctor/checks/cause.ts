import { APIError, type PaymentsError } from 'stablecoin-payments';
import { causesOf, codeOf, nameOf } from '../../../shared/errors/foreign-values.ts';
import { type LastResponse, secondsAsked } from '../observed-call.ts';
import { safeWord } from '../report.ts';
import { contentTypeOf, isJson } from './judge.ts';
import { type Protocol, protocolAt, statusWithoutToken } from './protocol.ts';
import { redirectCause } from './redirect.ts';

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
const decidedCause: readonly number[] = [401, 407, 421, 426, 429, 503, 505];

/** Returns true if another read would fail for the same cause. */
export function isDecided({ response, isSilent }: Failed): boolean {
  if (response === undefined || isSilent) return true;
  const { status } = response;
  return (
    isRedirect(status) ||
    decidedCause.includes(status) ||
    (isWebPage(response) && [200, 400, 403].includes(status))
  );
}

const isRedirect = (status: number): boolean => status >= 300 && status < 400;

const isWebPage = (response: LastResponse): boolean => /^text\/html$/i.test(contentTypeOf(response));

/** Returns the cause of the failures: all of the first reads failed, or the last one shows the cause by itself. */
export async function causeOf(failures: readonly [Failed, ...Failed[]], baseUrl: string): Promise<Cause> {
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
  return causeOfStatus(named, failures, baseUrl);
}

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
  // From undici 7 on, which Node has from version 24 on, the error of its parser has no code.
  const codes = causesOf(error.originalError, 5).flatMap(
    (cause) => codeOf(cause) ?? parserError(cause) ?? [],
  );
  // The platform's `fetch` makes an error without a code of a 407.
  if (codes.length === 0 && (await statusWithoutToken(baseUrl)) === 407) return wantsCredentials(host);
  const code = codes.find((one) =>
    /^(HTTPParserError$|HPE_|ERR_SSL_|UND_ERR_SOCKET$|ECONNRESET$|EPIPE$)/.test(one),
  );
  if (code === undefined || /^ERR_SSL_(WRONG_VERSION|PACKET_LENGTH)/.test(code)) return ofClient(error);
  if (code.endsWith('NO_APPLICATION_PROTOCOL')) return ofProtocol.http2(host);
  if (code.startsWith('ERR_SSL_')) return ofClient(error);
  const protocol = await protocolAt(baseUrl);
  if (protocol !== undefined) return ofProtocol[protocol](host);
  return /^(HPE_|HTTPParserError$)/.test(code)
    ? `The port of ${host} does not speak HTTP. Check the port in \`baseUrl\`.`
    : `${host} closes the connection without a response (${code}). Try again; if it happens again, ${askOperator}`;
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
  const type = contentTypeOf(response);
  const isForeign = !isJson(response);
  const how = isForeign && type !== '' ? `HTTP ${status}, ${type}` : `HTTP ${status}${nameIn(error)}`;
  if (status === 401)
    return isWebPage(response)
      ? reachability(
          `A gateway or proxy before ${host} wants a login of its own (${how}). Use an address in \`baseUrl\` that leads to the service itself.`,
        )
      : authentication(
          `The service does not accept the token (HTTP 401). Check PAYMENTS_ACCESS_TOKEN, and that it belongs to this environment.`,
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
  if (status === 407) return reachability(wantsCredentials(host));
  const again = againAfter(response);
  if (status === 429)
    return reachability(`The service limits the rate of requests (HTTP 429${again.header}). ${again.remedy}`);
  if (status === 503) return reachability(`The service is down (HTTP 503${again.header}). ${again.remedy}`);
  if (status === 502 || status === 504)
    return reachability(
      `The gateway before the service responds, and the service does not (HTTP ${status}). Run the doctor again later, or ask the operator of the service.`,
    );
  if ([421, 426, 505].includes(status))
    return reachability(
      `${host} refuses HTTP/1.1 (HTTP ${status}). Set \`baseUrl\` to an address that accepts HTTP/1.1.`,
    );
  if (status >= 500)
    return reachability(`Every call fails in the service (${how}). Ask the operator of the service.`);
  if (status >= 400)
    return reachability(
      `The service refuses every call (${how}). Check \`baseUrl\`, and what the service asks of every request.`,
    );
  return reachability(causeOfSuccess(failed, response, host));
}

/** The cause of a 2xx that the client cannot use. */
function causeOfSuccess({ error }: Failed, response: LastResponse, host: string): string {
  const { status } = response;
  const type = contentTypeOf(response);
  // Without `issues` it is a connection that ended in the body.
  if (!('issues' in error)) return ofClient(error);
  if (isWebPage(response))
    return `${host} responds with a web page (HTTP ${status}, ${type}), probably a login page or a website. ${someoneBefore}`;
  if (!isJson(response))
    return `${host} responds with ${type === '' ? 'no content type' : type} in place of JSON (HTTP ${status}). ${someoneBefore}`;
  return `${host} responds with JSON that is not of this service (HTTP ${status}). \`baseUrl\` is probably the address of another API.`;
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
function againAfter(response: LastResponse): { readonly header: string; readonly remedy: string } {
  const seconds = secondsAsked(response);
  return seconds === undefined
    ? { header: '', remedy: 'Run the doctor again later, or ask the operator of the service.' }
    : {
        header: `, Retry-After ${Math.ceil(seconds)} s`,
        remedy: 'Run the doctor again after that time.',
      };
}

const textList = (failures: readonly Failed[]): string =>
  new Intl.ListFormat('en-US').format(failures.map(({ operation }) => operation));

/** The service's name for a failure, to be put after the status. */
function nameIn(error: PaymentsError): string {
  const name = error instanceof APIError ? safeWord(error.service.error) : undefined;
  return name === undefined ? '' : `, ${name}`;
}
