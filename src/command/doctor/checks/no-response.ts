import type { PaymentsError } from 'stablecoin-payments';
import { causesOf, codeOf, nameOf, peek } from '../../../shared/errors/foreign-values.ts';
import { type Protocol, protocolAt, statusWithoutToken } from './protocol.ts';

/** Who can tell more about a connection. */
export const askOperator = 'ask the operator of the service, or of the proxy or firewall before it.';

export const ofProtocol: Readonly<Record<Protocol, (host: string) => string>> = {
  tls: (host) => `The port of ${host} speaks TLS, and \`baseUrl\` says http. Use https.`,
  http2: (host) =>
    `${host} accepts HTTP/2 only, and the client sends HTTP/1.1. Set \`baseUrl\` to an address that accepts HTTP/1.1.`,
};

export const wantsCredentials = (host: string): string =>
  `A proxy before ${host} wants credentials (HTTP 407). Give the proxy its credentials.`;

/** The cause of a connection that failed. The client's message names the host and the code. */
export async function causeOfNoResponse(error: PaymentsError, baseUrl: string): Promise<string> {
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
export const ofClient = ({ message, operation }: PaymentsError): string =>
  capitalized(message.replace(`${operation}: `, '')).replace(/\bthe base address\b/i, '`baseUrl`');

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
