/**
 * Injected into the client's build, which then begins with the transport. gzip finds what comes again within 32 KB only:
 * with ky between them, the transport and the resources would weigh 0.5 KB more in a compressed bundle. The name stands
 * for nothing: an import alone is left out with a warning.
 */
export { HttpTransport as transportFirst } from '../src/transport/http-transport.ts';
