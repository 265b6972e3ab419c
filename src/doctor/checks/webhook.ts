import { note, type Report } from '../report.ts';
import { isRecord, safeName, safeWord, shapeOf } from '../shapes.ts';

interface Delivery {
  readonly headers: Headers;
  readonly body: unknown;
}

/** Looks at a captured delivery: how it is signed, what it carries, and which options a receiver needs. */
export function checkWebhook(report: Report, text: string): void {
  const delivery = readDelivery(text);
  if (delivery === undefined) {
    note(
      report,
      'webhook',
      'failure',
      'The file is no delivery. Save an HTTP request as text (headers, an empty line, the body), or JSON with `headers` and `body`.',
    );
    return;
  }
  const scheme = schemeOf(delivery.headers);
  if (scheme === undefined) {
    note(
      report,
      'webhook',
      'failure',
      'No signature was found in the headers.',
      [...delivery.headers.keys()].map(safeName),
    );
  } else {
    report.webhookScheme = scheme.name;
    report.options.verifier = scheme.option;
    note(report, 'webhook', scheme.name === 'unknown' ? 'warning' : 'ok', scheme.message, scheme.details);
  }
  checkEnvelope(report, delivery);
}

function readDelivery(text: string): Delivery | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    if (!isRecord(parsed) || !isRecord(parsed.headers)) return undefined;
    const { body } = parsed;
    return {
      headers: headersOf(Object.entries(parsed.headers)),
      body: typeof body === 'string' ? parse(body) : body,
    };
  } catch {
    const [head = '', ...rest] = text.split(/\r?\n\r?\n/);
    const lines = head.split(/\r?\n/).filter((line) => /^[\w-]+:/.test(line));
    if (lines.length === 0) return undefined;
    const entries = lines.map(
      (line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()] as const,
    );
    return { headers: headersOf(entries), body: parse(rest.join('\n\n')) };
  }
}

function headersOf(entries: Iterable<readonly [string, unknown]>): Headers {
  const headers = new Headers();
  for (const [name, value] of entries) {
    const text = Array.isArray(value) ? value.join(', ') : value;
    if (typeof text === 'string' && /^[\w-]+$/.test(name) && /^[\t\x20-\x7e]*$/.test(text))
      headers.set(name, text);
  }
  return headers;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface Scheme {
  readonly name: string;
  /** How to make the verifier, as source text. */
  readonly option: string;
  readonly message: string;
  readonly details?: readonly string[];
}

function schemeOf(headers: Headers): Scheme | undefined {
  const prefix = ['webhook', 'svix'].find((name) => headers.has(`${name}-signature`));
  if (prefix !== undefined) {
    const option =
      prefix === 'webhook'
        ? 'standardWebhooks({ secrets })'
        : "standardWebhooks({ secrets, headerPrefix: 'svix' })";
    return { name: 'standard-webhooks', option, message: 'The delivery is signed by Standard Webhooks.' };
  }
  for (const [name, value] of headers) {
    const token = /^(?:Bearer )?([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(value)?.[1];
    if (token !== undefined) return jwtScheme(name, token);
  }
  const timestamp = [...headers.keys()].find((name) => /timestamp/.test(name));
  for (const [name, value] of headers) {
    if (/signature|hmac|digest/.test(name)) return signatureScheme(name, value, timestamp);
  }
  return undefined;
}

function jwtScheme(header: string, token: string): Scheme {
  const [head, claims] = token
    .split('.')
    .slice(0, 2)
    .map((part) => parse(Buffer.from(part, 'base64url').toString()));
  const given = isRecord(head) && typeof head.alg === 'string' ? head.alg : 'unknown';
  const algorithm = /^[A-Za-z]{2,5}\d{0,3}$/.test(given) ? given : 'unknown';
  const names = isRecord(claims) ? Object.keys(claims).map(safeName) : [];
  const details = [`algorithm: ${algorithm}`, `claims: ${names.join(', ') || 'none'}`];
  if (/^HS|^none$|^unknown$/.test(algorithm)) {
    const message = `The token is signed with ${algorithm}, which \`jwtBearer\` does not accept: whoever can verify it could forge it.`;
    return { name: 'unknown', option: 'undefined', message, details };
  }
  const parts = ['publicKey', "bodyBinding: 'required'"];
  if (algorithm !== 'RS256') parts.push(`algorithms: ['${algorithm}']`);
  if (header !== 'authorization') parts.push(`header: '${header}'`);
  if (!names.includes('exp') && !names.includes('iat')) parts.push("freshness: 'none'");
  const option = `jwtBearer({ ${parts.join(', ')} })`;
  const message = `The delivery carries a JWT in \`${header}\`. If no claim holds a digest of the body, set \`bodyBinding: 'none'\`.`;
  return { name: 'jwt-bearer', option, message, details };
}

function signatureScheme(header: string, value: string, timestamp: string | undefined): Scheme {
  const time = timestamp === undefined ? '' : `, timestampHeader: '${timestamp}'`;
  if (/^t=\d+,\s*v1=/.test(value)) {
    const option = `hmacSha256({ secrets, header: '${header}', format: 't=,v1=' })`;
    return {
      name: 'hmac-sha256',
      option,
      message: `The delivery has an HMAC with its time in \`${header}\`.`,
    };
  }
  const plain = value.replace(/^sha256=/, '');
  const encoding = /^[0-9a-f]+$/i.test(plain) ? 'hex' : 'base64';
  const bytes = Buffer.from(plain, encoding).length;
  if (bytes === 32) {
    const option = `hmacSha256({ secrets, header: '${header}', encoding: '${encoding}'${time} })`;
    return {
      name: 'hmac-sha256',
      option,
      message: `The delivery has an HMAC of SHA-256 in \`${header}\` (${encoding}).`,
    };
  }
  const algorithm = bytes >= 256 ? 'RSA-SHA256' : 'Ed25519';
  if (bytes >= 64) {
    const option = `publicKeySignature({ publicKey, algorithm: '${algorithm}', header: '${header}', encoding: '${encoding}'${time} })`;
    const message = `The delivery has a signature of ${bytes} bytes in \`${header}\` (${encoding}); the algorithm is a guess by its length.`;
    return { name: 'public-key', option, message };
  }
  return {
    name: 'unknown',
    option: 'undefined',
    message: `\`${header}\` holds ${bytes} bytes, which is no signature that the receiver knows.`,
  };
}

function checkEnvelope(report: Report, { headers, body }: Delivery): void {
  if (!isRecord(body)) {
    note(report, 'webhook', 'failure', `The body must be a JSON object, but is ${shapeOf(body)}.`);
    return;
  }
  const kind = safeWord(body.eventType);
  if (typeof body.eventType !== 'string')
    note(report, 'webhook', 'failure', 'The body has no `eventType`.', [shapeOf(body)]);
  else
    note(
      report,
      'webhook',
      'ok',
      kind === undefined ? 'The event has a kind.' : `The event is of the kind ${kind}.`,
      [shapeOf(body)],
    );
  const hasId =
    ['eventId', 'id'].some((name) => typeof body[name] === 'string') ||
    headers.has('webhook-id') ||
    headers.has('svix-id');
  if (!hasId)
    note(
      report,
      'webhook',
      'warning',
      'The event has no id. Give the receiver the option `eventId`, so that a repeated delivery is noticed.',
    );
}
