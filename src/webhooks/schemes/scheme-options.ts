import { ConfigurationError } from '../../errors/index.ts';
import type { SignatureEncoding } from './bytes.ts';

export function requireHeaderName(name: unknown, option: string): void {
  if (typeof name === 'string' && /^[!#$%&'*+.^_`|~0-9a-z-]+$/i.test(name)) return;
  throw new ConfigurationError(`${option} must be the name of a header.`);
}

export function requireEncoding(encoding: SignatureEncoding): void {
  if (['hex', 'base64', 'base64url'].includes(encoding)) return;
  throw new ConfigurationError('encoding must be "hex", "base64" or "base64url".');
}

/** A number of seconds, 0 or more. */
export function requireSeconds(seconds: unknown, option: string): void {
  if (Number.isFinite(seconds) && Number(seconds) >= 0) return;
  throw new ConfigurationError(`${option} must be a number of seconds, 0 or more.`);
}
