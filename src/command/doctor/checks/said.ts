import type { PaymentsError } from 'stablecoin-payments';
import { namesIn } from '../../../shared/outcome/refusal.ts';
import { isRecord } from '../../../shared/values.ts';
import type { LastResponse } from '../observed-call.ts';
import { safeWord } from '../report.ts';

/** What the documented names of refusals are about, where it is not the one call. */
export const documentedNames: ReadonlyMap<string, 'token' | 'profile' | 'user'> = new Map([
  ['UNAUTHORIZED', 'token'],
  ['INVALID_API_KEY', 'token'],
  ['KEY_DOES_NOT_EXIST', 'token'],
  ['PROFILE_FROZEN', 'profile'],
  ['USER_NOT_FOUND', 'user'],
  ['USER_FROZEN', 'user'],
  ['USER_COMPLIANCE_VERIFICATION_FAILED', 'user'],
]);

/** What the service says of a failure in the documented places. */
export interface Said {
  /** The name; undefined if there is none that can be shown. */
  readonly name: string | undefined;
  readonly about: 'token' | 'profile' | 'user' | undefined;
}

/** Reads the name of a refusal, under whatever status. Of a 401 without a body it is that of the challenge. */
export function saidOf(error: PaymentsError, response?: Pick<LastResponse, 'headers'>): Said {
  const body = 'body' in error ? error.body : undefined;
  const [name = challengeName(response)] = namesIn(body).flatMap((text) => safeWord(text) ?? []);
  const about = name === undefined ? undefined : documentedNames.get(name);
  return { name, about: about ?? (isNumberOfToken(body) ? 'token' : undefined) };
}

/** The numbers of the service are grouped: 20xxxx are those of authentication. */
function isNumberOfToken(body: unknown): boolean {
  if (!isRecord(body)) return false;
  const { code } = isRecord(body.error) ? body.error : body;
  return /^2\d{5}$/.test(String(code));
}

/** The error code of a bearer challenge (RFC 6750), such as `invalid_token`. */
const challengeName = (response: Pick<LastResponse, 'headers'> | undefined): string | undefined =>
  safeWord(/^Bearer\b.*\berror="([^"]*)"/i.exec(response?.headers.get('www-authenticate') ?? '')?.[1]);

/** The name of a failure, to be put after the status. */
export function nameAfterStatus(error: PaymentsError, response?: Pick<LastResponse, 'headers'>): string {
  const { name } = saidOf(error, response);
  return name === undefined ? '' : `, ${name}`;
}
