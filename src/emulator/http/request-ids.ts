import { isRecord, jsonIn } from '../../shared/values.ts';

const UUIDS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** The UUIDs in a text, in lower case. */
export function uuidsIn(text: string): Set<string> {
  return new Set((text.match(UUIDS) ?? []).map((id) => id.toLowerCase()));
}

/** The fields in which a response names the record that it is about, in any dialect. */
const OWN_IDS = ['id', 'accountId', 'approvalId', 'transferId', 'userId', 'requestId'];

/** The ids that an exchange shows: first those of the record in its response, then those of its path and its body. */
export function idsOfExchange({
  url,
  body,
  responseBody,
}: {
  url: string;
  body: string | null;
  responseBody: string | null;
}): Set<string> {
  const own = ownIds(jsonIn(responseBody ?? ''));
  return uuidsIn([...own, new URL(url).pathname, body ?? ''].join(' '));
}

/** A list is about none of its records. */
function ownIds(response: unknown): string[] {
  if (!isRecord(response)) return [];
  const parts = [response, response.transferDetails].filter(isRecord);
  return parts.flatMap((part) => OWN_IDS.map((name) => part[name])).filter((id) => typeof id === 'string');
}
