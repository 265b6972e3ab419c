import { isRecord } from '../kind.ts';

/** How much of an error body is read: more than any real one has. */
const mostTexts = 200;
const longestText = 2_000;
const deepest = 6;

/* @__NO_SIDE_EFFECTS__ */
function anyOf(patterns: () => readonly string[]): RegExp {
  return new RegExp(patterns().join('|'));
}

/** Words that a service uses when it has the record already. */
const alreadyThere = /* @__PURE__ */ anyOf(() => [
  String.raw`\balready (?:\w+ ){0,4}?(?:exist|use|in use|process|submit|receiv|creat|regist|made|sent|execut|paid|complet|pending|progress|known|taken|initiat|present|handled|seen|accept|record|booked|posted)`,
  String.raw`\bexists\b(?<!\bnot exists)|\bexisting (?:request|transaction|transfer|payment|record|resource)\b`,
  String.raw`\bduplicat|\bconflict|\breuse|\breplay|\brepeated\b|\bdouble (?:submission|payment|request)\b`,
  String.raw`\bidempoten\w* (?:key )?(?:error|violation|fail)`,
]);

/** Words that say the same only where the sentence is about the request id. */
const aboutTheId = /\b(?:request|idempotency|idempotent) ?(?:id|key|token|uuid|identifier)\b|\bidempoten/;
const takenId =
  /\balready\b|\bused\b|\bexists?\b(?<!\bnot exists?)|\bknown\b|\bunique\b|\btaken\b|\bseen\b|\bdifferent\b|\banother\b|\bmismatch|\bviolation\b/;

/** Names of refusals that are about something else; only a sentence about the request id speaks against them. */
const otherName =
  /^(?:field validation error|invalid \w.*|unauthorized|\w+ not found|insufficient balance|user frozen|profile frozen|user compliance verification failed|quote not ready|method not allowed|key does not exist|validation error)$/;

/**
 * Whether a refusal says, in any of the service's shapes, that the idempotency id is known. A true refusal that is
 * taken for a known id costs a look at the ledger; a known id that is taken for a refusal costs a second payment. So
 * in doubt this says yes.
 */
export function saysIdIsKnown(status: number, body: unknown): boolean {
  if (status === 409) return true;
  const texts = textsOf(body);
  const isNamedOtherwise = texts.some(({ words }) => otherName.test(words));
  return texts.some(
    ({ key, words }) =>
      (!isNamedOtherwise && alreadyThere.test(words)) ||
      (aboutTheId.test(`${key} ${words}`) && (takenId.test(words) || alreadyThere.test(words))),
  );
}

interface Text {
  /** The names of the fields that lead to it. */
  key: string;
  words: string;
}

/** Every text of a body in lower-case words, so that `REQUEST_ALREADY_EXISTS` and `requestAlreadyExists` read alike. */
function textsOf(body: unknown): Text[] {
  const found: Text[] = [];
  const collect = (value: unknown, key: string, depth: number): void => {
    if (found.length >= mostTexts || depth > deepest) return;
    if (typeof value === 'string') found.push({ key, words: toWords(value.slice(0, longestText)) });
    else if (Array.isArray(value)) for (const item of value) collect(item, key, depth + 1);
    else if (isRecord(value)) {
      for (const [name, item] of Object.entries(value)) collect(item, `${key} ${toWords(name)}`, depth + 1);
    }
  };
  collect(body, '', 0);
  return found;
}

function toWords(text: string): string {
  return text
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, ' ')
    .trim();
}
