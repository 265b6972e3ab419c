import { ConfigurationError } from '../../errors/index.ts';
import { decodeBytes } from './bytes.ts';
import { derElement } from './der.ts';

type KeyKind = 'public' | 'private';

/** The PEM of a key text, or an error that says what the text is instead. */
export function keyText(key: unknown, kind: KeyKind): string {
  if (typeof key !== 'string') throw new ConfigurationError(explain(undefined, kind));
  // Environment variables often carry a PEM with its line ends escaped, or within quotes.
  const text = key
    .replaceAll(/\\[rn]/g, '\n')
    .replace(/^["']|["']$/g, '')
    .trim();
  const bare = labelOfBareKey(text);
  const label = bare ?? /-----BEGIN ([A-Z0-9 ]+)-----/.exec(text)?.[1];
  const wanted: readonly unknown[] = kind === 'private' ? ['PRIVATE KEY'] : ['PUBLIC KEY', 'CERTIFICATE'];
  if (!wanted.includes(label)) throw new ConfigurationError(explain(label, kind));
  return bare === undefined ? text : `-----BEGIN ${bare}-----\n${text}\n-----END ${bare}-----`;
}

/** What stands between the PEM lines, told by how its DER begins. */
function labelOfBareKey(text: string): string | undefined {
  const der = decodeBytes(text.replaceAll(/\s/g, ''), 'base64');
  if (der === undefined || der[0] !== 0x30) return undefined;
  const first = derElement(der, derElement(der, 0).start);
  // SPKI: a sequence that names the algorithm. A certificate: a sequence that holds a version or a serial number.
  if (first.tag === 0x30) return der[first.start] === 0x06 ? 'PUBLIC KEY' : 'CERTIFICATE';
  if (first.tag !== 0x02) return undefined;
  // Private keys begin with a version, which PKCS#8 continues with the algorithm; a PKCS#1 public key with the modulus.
  if (first.end - first.start > 1) return 'RSA PUBLIC KEY';
  return der[first.end] === 0x30 ? 'PRIVATE KEY' : 'RSA PRIVATE KEY';
}

function explain(label: string | undefined, kind: KeyKind): string {
  const wanted =
    kind === 'public'
      ? 'a PEM public key ("-----BEGIN PUBLIC KEY-----", SPKI), its base64 without the PEM lines, an X.509 ' +
        'certificate in PEM or a CryptoKey'
      : 'a PEM private key ("-----BEGIN PRIVATE KEY-----", PKCS#8) or a CryptoKey';
  if (label === undefined) return `The key is not readable: pass ${wanted}.`;
  if (label === 'RSA PUBLIC KEY') {
    return `The key is in PKCS#1 form: pass ${wanted}. "openssl rsa -RSAPublicKey_in -pubout" converts it.`;
  }
  if (kind === 'public' && label.endsWith('PRIVATE KEY')) {
    return `The key is a private key, which a receiver must not have: pass ${wanted}.`;
  }
  return `The key is a PEM "${label}": pass ${wanted}.`;
}
