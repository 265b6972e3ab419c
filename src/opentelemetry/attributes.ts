import type { AttemptEvent } from '../client/index.ts';

/** Returns the attributes of a request by the HTTP semantic conventions, for spans and metrics alike. */
export function httpAttributes({ method, urlTemplate, origin }: AttemptEvent) {
  const { hostname, port, protocol } = new URL(origin);
  return {
    'http.request.method': method,
    'url.template': urlTemplate,
    'url.scheme': protocol.slice(0, -1),
    'server.address': hostname,
    'server.port': Number(port === '' ? (protocol === 'https:' ? 443 : 80) : port),
  };
}
