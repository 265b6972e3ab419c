import { APIError } from 'stablecoin-payments';
import { refusalsOf } from '../../../shared/outcome/names.ts';
import { isErrorShape } from '../../../shared/outcome/refusal.ts';
import type { LastResponse } from '../observed-call.ts';
import { type ForeignBody, foreignBody } from './body.ts';
import { authentication, type Cause, type Failed, isOfNetwork, reachability } from './cause.ts';
import { contentTypeOf } from './judge.ts';
import { ofClient, wantsCredentials } from './no-response.ts';
import { documentedNames, nameAfterStatus, type Said, saidOf } from './said.ts';

/** A response that refuses, or cannot be used, as its cause is found. */
interface Refusal {
  readonly failed: Failed;
  readonly failures: readonly Failed[];
  readonly response: LastResponse;
  readonly status: number;
  readonly baseUrl: string;
  readonly host: string;
  readonly said: Said;
  /** The status, and what names the refusal. */
  readonly how: string;
  /** What came in place of JSON. */
  readonly body: ForeignBody | undefined;
  /** True for the page, or the text, of somebody else than the service. */
  readonly isForeign: boolean;
}

/** The cause of a response that cannot be used: the token, the path, somebody before the service, or the service. */
export function causeOfStatus(failed: Failed, failures: readonly Failed[], baseUrl: string): Cause {
  const { response, error } = failed;
  if (response === undefined) return reachability(ofClient(error));
  const { status } = response;
  const body = foreignBody(error);
  const isForeign = body !== undefined && body.kind !== 'empty';
  const type = isForeign ? contentTypeOf(response) : '';
  const refusal: Refusal = {
    failed,
    failures,
    response,
    status,
    baseUrl,
    host: new URL(baseUrl).host,
    said: saidOf(error, response),
    how: `HTTP ${status}${type === '' ? '' : `, ${type}`}${nameAfterStatus(error, response)}`,
    body,
    isForeign,
  };
  const ofToken = causeOfToken(refusal);
  if (ofToken !== undefined) return ofToken;
  return reachability(causeOfPath(refusal) ?? causeOfGateway(refusal) ?? causeOfService(refusal));
}

function causeOfToken(refusal: Refusal): Cause | undefined {
  const { status, said, how, failures, body, response, isForeign } = refusal;
  const { about, name } = said;
  if (about === 'profile')
    return authentication(`The profile of the token is frozen (${how}). Ask the operator of the service.`);
  if (status === 403) {
    if (isForeign || !isDocumented(failures) || about === 'user') return undefined;
    if (name === undefined || name === 'UNAUTHORIZED')
      return authentication(
        `The token may call none of ${textList(failures)} (${how}). Ask the operator of the service for its permissions.`,
      );
    return documentedNames.has(name)
      ? notAccepted(how)
      : authentication(
          `The service refuses the token for every call (${how}). Look the name up in its documentation: the token may be over, or lack permissions.`,
        );
  }
  const isOfGateway = body?.kind === 'page' || (name === undefined && hasOtherChallenge(response));
  return (status === 401 && !isOfGateway) || (status !== 401 && about === 'token')
    ? notAccepted(how)
    : undefined;
}

const notAccepted = (how: string): Cause =>
  authentication(
    `The service does not accept the token (${how}). Check PAYMENTS_ACCESS_TOKEN, and that it belongs to this environment.`,
  );

/** Returns true if a refusal has a documented shape, which shows that the service itself responds. */
const isDocumented = (failures: readonly Failed[]): boolean =>
  failures.some(({ error }) => error instanceof APIError && Object.keys(error.service).length > 0);

/** The service asks for a bearer token. Any other login is that of somebody before it. */
function hasOtherChallenge({ headers }: LastResponse): boolean {
  const challenge = headers.get('www-authenticate') ?? '';
  return challenge !== '' && !/\bbearer\b/i.test(challenge);
}

function causeOfPath({ status, said, how, failures, baseUrl }: Refusal): string | undefined {
  if (status === 404) return causeOfNotFound(how, failures, baseUrl);
  return said.about === 'user' ? `The service refuses the user (${how}). Check --user.` : undefined;
}

/** The cause of a 404. `approvals.list` has no user in its path: if it is found, or refused, the path is right. */
function causeOfNotFound(how: string, failures: readonly Failed[], baseUrl: string): string {
  const { host, pathname } = new URL(baseUrl);
  const prefix = pathname.replace(/\/$/, '');
  if (failures.some(({ response }) => response?.status !== 404))
    return `The service does not find the user (${how}). Check --user.`;
  const where = `${host} has no operation of this service at ${prefix}/v2 (${how}).`;
  const [{ error } = {}] = failures;
  if (prefix === '')
    return error !== undefined && saidOf(error).name !== undefined
      ? `${where} Look the name up in the documentation of the service, and check the path of \`baseUrl\`.`
      : `${where} \`baseUrl\` probably lacks a path prefix.`;
  return prefix.endsWith('/v2')
    ? `${where} Remove /v2 from the end of \`baseUrl\`: the client adds it.`
    : `${where} The path ${prefix} of \`baseUrl\` is probably wrong.`;
}

/** The cause where somebody before the service responds: by its status, or by a body that is not of the service. */
function causeOfGateway({ status, how, host, failed, isForeign }: Refusal): string | undefined {
  const before = `A gateway or proxy before ${host}`;
  if (status === 401)
    return `${before} wants a login of its own (${how}). Use an address in \`baseUrl\` that leads to the service itself.`;
  if (status === 403)
    return `A firewall, gateway or proxy before ${host} refuses the requests (${how}). Ask its operator to let this machine in.`;
  if (status === 407) return wantsCredentials(host);
  if (status === 511)
    return `The network of this machine wants a login (${how}): a captive portal responds in place of ${host}. Log in to the network, or use another one.`;
  if (status === 502 || status === 504)
    return `The gateway before the service responds, and the service does not (HTTP ${status}). Run the doctor again later, or ask the operator of the gateway.`;
  if (isOfNetwork(status))
    return `A content delivery network or gateway before ${host} responds, and cannot use the server behind it (${how}). Run the doctor again later, or ask the operator of that network or gateway.`;
  if (!isForeign || status < 400 || refusesHttp1.includes(status)) return undefined;
  const again = againAfter(failed, 'of that gateway or proxy');
  if (status === 429) return `${before} limits the rate of requests (${how}${again.header}). ${again.remedy}`;
  if (status === 503)
    return `${before} says that the service is down (${how}${again.header}). ${again.remedy}`;
  return status >= 500
    ? `${before} fails (${how}). Ask its operator.`
    : `${before} refuses every call (${how}). Ask its operator to let this machine in.`;
}

const refusesHttp1: readonly number[] = [421, 426, 505];

function causeOfService(refusal: Refusal): string {
  const { status, said, how, host, failed } = refusal;
  const again = againAfter(failed, 'of the service');
  if (status === 429)
    return `The service limits the rate of requests (${how}${again.header}). ${again.remedy}`;
  if (status === 503) return `The service is down (${how}${again.header}). ${again.remedy}`;
  if (refusesHttp1.includes(status))
    return `${host} refuses HTTP/1.1 (HTTP ${status}). Set \`baseUrl\` to an address that accepts HTTP/1.1.`;
  if (status >= 500) return `Every call fails in the service (${how}). Ask the operator of the service.`;
  if (said.name !== undefined)
    return `The service refuses every call (${how}). Look the name up in its documentation; check PAYMENTS_ACCESS_TOKEN, and what the service asks of every request.`;
  if (status >= 400)
    return `The service refuses every call (${how}). Check \`baseUrl\`, and what the service asks of every request.`;
  return causeOfSuccess(refusal);
}

const someoneBefore = 'Check `baseUrl`, and the proxy or gateway before the service.';

/** The cause of a 2xx that the client cannot use. */
function causeOfSuccess({ failed: { error }, status, response, host, body }: Refusal): string {
  const encoding = response.headers.get('content-encoding') ?? '';
  const parts = [contentTypeOf(response), /^[a-z-]{2,10}$/.test(encoding) ? encoding : ''];
  const shown = [`HTTP ${status}`, ...parts.filter((part) => part !== '')].join(', ');
  if (body !== undefined)
    return `${host} responds with ${body.what} (${shown}), ${body.sender}. ${someoneBefore}`;
  // Without `issues` it is a connection that ended in the body.
  if (!('body' in error))
    return encoding === ''
      ? ofClient(error)
      : `${host} responds with a part of a compressed body (${shown}), probably cut by a proxy or gateway. ${someoneBefore}`;
  return isErrorShape(error.body, refusalsOf())
    ? `The service responds with an error without a name under HTTP ${status}. Check PAYMENTS_ACCESS_TOKEN, and what the service asks of every request.`
    : `${host} responds with JSON that is not of this service (HTTP ${status}). \`baseUrl\` is probably the address of another API.`;
}

/** When to run the doctor again. */
function againAfter({ error }: Failed, whose: string): { readonly header: string; readonly remedy: string } {
  const seconds = error instanceof APIError ? error.retryAfter : undefined;
  return seconds === undefined
    ? { header: '', remedy: `Run the doctor again later, or ask the operator ${whose}.` }
    : {
        header: `, Retry-After ${Math.ceil(seconds)} s`,
        remedy: 'Run the doctor again after that time.',
      };
}

const textList = (failures: readonly Failed[]): string =>
  new Intl.ListFormat('en-US').format(failures.map(({ operation }) => operation));
