import { isLoopback } from '../../shared/loopback.ts';
import { ServiceProblem } from '../problem.ts';

/** The rules for access, which follow from the socket that a request arrives on. */
export interface Access {
  /** True if a request must be addressed to this machine by a loopback name. */
  loopbackOnly: boolean;
  /**
   * Set where other machines can reach the socket: every route then requires a bearer token. Where the emulator
   * lists accepted tokens it is one of those; otherwise it must be this one.
   */
  token?: string | undefined;
}

/** Refuses requests to a loopback socket under another name: a website whose name resolves to 127.0.0.1 sends those. */
export function refuseForeignHosts(request: Request, { loopbackOnly }: Access): void {
  if (!loopbackOnly || isLoopback(new URL(request.url).hostname)) return;
  const message =
    'The emulator is bound to loopback. Send requests to 127.0.0.1 or localhost, or bind it with --host';
  throw new ServiceProblem(403, 'FOREIGN_HOST', message);
}

/** Refuses control requests that a page of another site sends: a website must not control an emulator on a laptop. */
export function refuseForeignOrigins({ method, url, headers }: Request): void {
  const origin = headers.get('origin');
  const site = headers.get('sec-fetch-site') ?? '';
  const foreign = origin !== null && hostOfOrigin(origin) !== new URL(url).host;
  const crossSite = origin === null && ['cross-site', 'same-site'].includes(site);
  // A link opens a page and changes nothing. A form of another site may be sent without an origin.
  const isLink = method === 'GET' && headers.get('sec-fetch-mode') === 'navigate';
  if (foreign || (crossSite && !isLink)) {
    throw new ServiceProblem(403, 'FOREIGN_ORIGIN', 'Only pages of the emulator itself may use these routes');
  }
}

/** The refusal of a request without an accepted bearer token; `undefined` where it carries one. */
export function tokenRefusal(
  { headers, url }: Request,
  access: Access,
  isAllowed: ((token: string) => boolean) | undefined,
): ServiceProblem | undefined {
  const token = /^Bearer +(\S+) *$/i.exec(headers.get('authorization') ?? '')?.[1];
  const allowed = isAllowed ?? ((candidate) => access.token === undefined || candidate === access.token);
  if (token !== undefined && allowed(token)) return undefined;
  const control = new URL(url).pathname.startsWith('/_emulator');
  const reason = token === undefined ? 'The bearer token is missing' : 'The bearer token is not valid';
  const message = control
    ? `${reason}: other machines can reach this emulator, so its control routes require a token`
    : reason;
  return new ServiceProblem(401, 'UNAUTHORIZED', message, { headers: { 'www-authenticate': 'Bearer' } });
}

/** Refuses a request without an accepted bearer token. */
export function requireToken(...about: Parameters<typeof tokenRefusal>): void {
  const refusal = tokenRefusal(...about);
  if (refusal !== undefined) throw refusal;
}

function hostOfOrigin(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
