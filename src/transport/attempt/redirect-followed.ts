import { Signal } from './signal.ts';

/** The caller's `fetch` followed a redirect, although it was asked not to: another address has got the request. */
export class RedirectFollowed extends Signal {
  /** The host that sent the response, where it is known. */
  readonly host: string | undefined;

  constructor(host: string | undefined) {
    super('redirect followed');
    this.host = host;
  }
}

/** Refuses a response that was fetched from another address than the requested one. */
export function refuseFollowed(response: Response, requested: string): void {
  const { redirected, url }: { redirected?: unknown; url: string } = response;
  const given = URL.canParse(url) ? new URL(url) : undefined;
  // A fetch that says itself whether it followed is believed: it may reach the service by another address.
  const followed =
    typeof redirected === 'boolean'
      ? redirected
      : given !== undefined && given.href !== new URL(requested).href;
  if (!followed) return;
  response.body?.cancel().catch(() => undefined);
  throw new RedirectFollowed(given?.host);
}
