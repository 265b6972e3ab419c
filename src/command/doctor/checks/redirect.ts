import type { LastResponse } from '../observed-call.ts';

/** Returns true for a status that leads to another address. */
export const isRedirect = (status: number): boolean => status >= 300 && status < 400;

/** The cause of a redirect, with the address that it leads to. */
export function redirectCause({ status, headers, url }: LastResponse, baseUrl: string): string {
  const { host, pathname } = new URL(baseUrl);
  if (status === 304)
    return `A cache before ${host} responds that nothing changed (HTTP 304), and the client has no copy. Use an address in \`baseUrl\` that leads to the service itself.`;
  const target = URL.parse(headers.get('location') ?? '', url);
  const isHttp = target !== null && /^https?:$/.test(target.protocol);
  if (!isHttp || !headers.get('location'))
    return `${host} redirects without an address (HTTP ${status}). Check \`baseUrl\`.`;
  // The rest of the path that was asked for: `/v2/…`.
  const asked = new URL(url).pathname.slice(pathname.replace(/\/$/, '').length);
  if (target.pathname.endsWith(asked)) {
    const prefix = shownPath(target.pathname.slice(0, -asked.length));
    return `${host} redirects to ${target.origin}${prefix} (HTTP ${status}), and the client follows no redirect. Set \`baseUrl\` to that address.`;
  }
  return `${host} redirects to ${target.origin}${shownPath(target.pathname)} (HTTP ${status}), probably a login page. Check \`baseUrl\`, and the proxy or gateway before the service.`;
}

/** A path without what may be a value, such as an id: each part is a word, or `*`. */
const shownPath = (path: string): string =>
  path
    .split('/')
    .map((part) =>
      part === '' || /^[A-Za-z][A-Za-z._-]{0,39}\d{0,2}(\.[a-z]{1,5})?$/.test(part) ? part : '*',
    )
    .join('/');
