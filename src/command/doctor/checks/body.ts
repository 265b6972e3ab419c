import type { PaymentsError } from 'stablecoin-payments';
import { causesOf, peek } from '../../../shared/errors/foreign-values.ts';
import { jsonIn } from '../../../shared/values.ts';

/** What came in place of the JSON of the service, and who usually sends that. */
export interface ForeignBody {
  readonly kind: 'page' | 'empty' | 'other';
  readonly what: string;
  readonly sender: string;
}

const placeholder = 'probably from a proxy, a health check or a placeholder';

/** Returns what came in place of JSON. Undefined for JSON, and for a body that did not arrive whole. */
export function foreignBody(error: PaymentsError): ForeignBody | undefined {
  if (hasLeftEncoding(error))
    return other('a body whose `content-encoding` cannot be undone', 'probably changed or cut by a proxy');
  if (!('body' in error)) return undefined;
  const { body } = error;
  if (typeof body === 'string') return foreignText(body.trim());
  return body === undefined && !isTooLarge(error) ? foreignText('') : undefined;
}

const other = (what: string, sender: string): ForeignBody => ({ kind: 'other', what, sender });

/** Tells by its structure what a text is. */
function foreignText(text: string): ForeignBody {
  if (text === '') return { kind: 'empty', what: 'an empty body', sender: placeholder };
  // The client has parsed the body once: what is JSON again was encoded twice.
  if (jsonIn(text) !== undefined)
    return other('JSON inside a JSON text', 'probably encoded twice by a gateway');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
  if (/[\u0000-\u0008\u000e-\u001f]/.test(text))
    return other(
      'bytes that are no text',
      'probably compressed, or written in another charset, by a proxy that does not say so',
    );
  if (text.startsWith('<') && !/[}\]]$/.test(text)) return markup(text);
  if (isOpen(text)) return other('JSON that is cut', 'probably by a proxy or gateway');
  if (text.split('\n').every((line) => jsonIn(line) !== undefined))
    return other('several JSON texts', 'probably from a stream, or another API');
  if (jsonWithin(text) !== undefined)
    return other(
      'JSON that has other text around it',
      'probably added by a gateway or framework, such as a guard against script tags',
    );
  return /^[{[]/.test(text)
    ? other('text that begins like JSON and is none', 'probably from a proxy, or another API')
    : other('text that is not JSON', placeholder);
}

function markup(text: string): ForeignBody {
  const isXml = /^<(?:\?xml|[\w.-]+:)/i.test(text) && !/<html\b/i.test(text.slice(0, 2000));
  return isXml
    ? other('XML', 'probably from a gateway, or another API')
    : { kind: 'page', what: 'a web page', sender: 'probably a login page, a captive portal or a website' };
}

/** Returns true for an object or a list that is not closed. */
function isOpen(text: string): boolean {
  const bare = text.replace(/"(?:[^"\\]|\\.)*"/g, '');
  const count = (brackets: RegExp) => bare.match(brackets)?.length ?? 0;
  return /^[{[]/.test(text) && (bare.includes('"') || count(/[{[]/g) > count(/[}\]]/g));
}

/** The object, or the list of objects, that a text has within other text. */
function jsonWithin(text: string): unknown {
  for (const { index } of [...text.slice(0, maxPrefix).matchAll(/\[?\{/g)].slice(0, 5)) {
    const end = text.lastIndexOf(text.charAt(index) === '[' ? ']' : '}');
    const json = jsonIn(text.slice(index, end + 1));
    if (json !== undefined) return json;
  }
  return undefined;
}

/** The characters in which other text may stand before JSON. */
const maxPrefix = 1000;

/** The client names an encoding that it could not undo, or a decoder failed. */
const hasLeftEncoding = (error: PaymentsError): boolean =>
  codesOfIssues(error).includes('content_encoding') ||
  causesOf(error.originalError, 5).some((cause) =>
    /^(?:Z_|ERR_+BROTLI_|ZSTD_error_)/.test(String(peek(cause, 'code'))),
  );

const isTooLarge = (error: PaymentsError): boolean => codesOfIssues(error).includes('too_large');

function codesOfIssues(error: PaymentsError): readonly unknown[] {
  const issues = peek(error, 'issues');
  return Array.isArray(issues) ? issues.map((issue) => peek(issue, 'code')) : [];
}
