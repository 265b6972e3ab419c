import { type KnownServiceErrorName, serviceErrorNames } from '../errors/service-names.ts';
import { readServiceError } from './service-error.ts';

/** The names in which a service refuses requests: the documented ones and those of the option `refusals`. */
export interface RefusalNames {
  /** The service has a request under this idempotency key. */
  readonly known: ReadonlySet<string>;
  /** The service refused the request for a reason that has nothing to do with its idempotency key. */
  readonly sure: ReadonlySet<string>;
}

const documentedAsKnown: readonly KnownServiceErrorName[] = [
  'TRANSACTION_REQUEST_ALREADY_EXISTS',
  'RESOURCE_CONFLICT',
];

/** Adds an integrator's names to the documented ones, each in words: `requestExists` and `REQUEST_EXISTS` are one. */
export function refusalNames(known: readonly string[] = [], sure: readonly string[] = []): RefusalNames {
  return {
    known: new Set([...documentedAsKnown, ...known].map(toWords)),
    sure: new Set([...serviceErrorNames, ...sure].map(toWords)),
  };
}

/** Returns true for a documented or configured name. */
export const isRefusalName = (name: string, { known, sure }: RefusalNames): boolean =>
  [known, sure].some((names) => names.has(toWords(name)));

/**
 * The meaning of a refusal's body for the idempotency key.
 *
 * - `known`: a documented or configured name says that the service has a request under the key.
 * - `named`: a documented or configured name says that the refusal is about something else.
 * - `worded`: its words refuse, and speak of no key, no existing record and nothing in progress.
 * - `unsure`: its words may be about the key, or they are too many.
 * - undefined: it has no words that refuse, or words in another language.
 */
export type RefusalReading = 'known' | 'named' | 'worded' | 'unsure' | undefined;

/**
 * Reads the parsed body of a refusal. A name in both lists is one of a known key. `requestId` is the idempotency key
 * that was sent; its echo says nothing.
 */
export function readRefusal(body: unknown, names: RefusalNames, requestId: string): RefusalReading {
  const { texts, isWhole } = textsOf(body, requestId);
  if (texts.some(({ text, words }) => !/\s/.test(text.trim()) && names.known.has(words))) return 'known';
  if (!isWhole) return 'unsure';
  const said = texts.filter(({ text }) => !isOpaque(text));
  if (said.some(({ field, words }) => aboutTheKey.test(`${field} ${words}`))) return 'unsure';
  const { error } = readServiceError(body);
  if (error !== undefined && names.sure.has(toWords(error))) return 'named';
  if (said.some(({ words }) => ofAnEarlierOne.test(words))) return 'unsure';
  const refuses = ({ words }: Text) => refusing.test(words);
  const isUnread = (one: Text) =>
    foreign.test(one.text) ||
    undecided.test(one.words) ||
    (/[a-z]\s+[a-z]/i.test(one.text) && !refuses(one) && !english.test(one.words));
  return said.some(refuses) && !said.some(isUnread) ? 'worded' : undefined;
}

/** A letter that English does not have. In another language the words below mean something else, or are not there. */
const foreign = /(?=\p{L})[^a-z]/iu;

/** Words that an English sentence has. What a sentence in another language says is not known. */
const english = /\b(?:the|is|are|be|has|for|of|to|and|with|your|please|expected)\b/;

/** Words in which a request is refused. Without any of them nothing is proved. */
const refusing =
  /(?<!could ?)(?:n t|\bnot)\b|\bno (?:\w+ )?(?:such|longer|access|account|balance|funds|permission|quote|rail|user|wallet)|\b(?:cannot|never|too|below|above|less|only|must|should|bad request|enough|frozen|m[ai][nx]imum)\b|\b(?:in(?:valid|suffic|correct)|missing|requir|validat|unprocess|exceed|limit|unsupp|unauth|forbid|deni|declin|reject|refus|restrict|block(?:ed|list)|suspend|disabl|expir|unverif|malform|sanction|(?:account|check|trading)(?: \w+){0,3} (?:failed|closed)|(?:unknown|wrong) (?:amount|currency|chain|user|account|wallet))/;

/** Words of a payment that may still be made. Next to them a refusing word proves nothing. */
const undecided =
  /\b(?:answer|await|confirm|deadline|determin|final|held|lock|on hold|retries|settled|t(?:aking|ook) too|timed? ?out|(?:in|execution) time|time limit|(?:be|not) new|(?<!please |require |your )(?:approval|review|state\b))/;

/** Words about the idempotency key, or about a request that came before or is in progress. */
const aboutTheKey = /* @__PURE__ */ anyOf(() => [
  String.raw`\b(?:request|call) ?(?:id|key|token|uuid|identifier|reference)s?\b|\bidempoten`,
  String.raw`\b(?:duplicate|repeated|existing|same|previous|prior|earlier|first|original|concurrent|identical) (?:\w+ )?(?:request|call|submission)\b`,
  String.raw`\brequest (?:\w+ ){0,2}?(?:already|being|in (?:progress|process|flight)|pending|exists?|duplicate\w*|processing)\b`,
  String.raw`\b(?:transfer|payment|transaction|payout|onramp|offramp|bridge) (?:\w+ )?already\b`,
]);

/** Words that a service uses when it has a record already, or has not finished with one. */
const ofAnEarlierOne = /* @__PURE__ */ anyOf(() => [
  // In six languages: their words for refusals are near to the English ones.
  String.raw`\b(?:already|bereits|deja|gia|ja|tayari|ya|dup|twice|double|once|prior|under ?way|ongoing|in (?:use|progress|process|flight)|processing|pending|executing|queued|nonce|one \w+ per|\w+ed again)\b`,
  String.raw`\b(?:duplic|conflict|collision|clash|identical|reus|repl|repeat|concurren|unique|previous|mismatch|resubmi|resen|respon|upstream)`,
  String.raw`\b(?:taken|earlier|same|used|seen|known|(?:new|(?:an)?other|different) (?:id\w*|key|token|re\w+))\b`,
  String.raw`(?<!\b(?:not|no longer|never|t|cannot) )\bexist`,
  // Also the status of a record that was made.
  String.raw`(?<!\b(?:not|never|be|to) (?:\w+ )?)\b(?:submitted|accepted|completed|executed|initiated|processed|paid|sent|made|created|settled|done|posted|recorded|handled|booked|performed|succeeded|finished)\b`,
  String.raw`\b(?:been|was|were) received\b|\b(?:request|resource|transfer|payment|transaction|key)(?: is)? locked\b`,
]);

/** The limits of the part of a body that is read. No real body has more. */
const mostTexts = 500;
const longestText = 4_000;
const deepest = 12;

interface Text {
  /** The names of the fields that lead to it, in words. */
  readonly field: string;
  readonly text: string;
  readonly words: string;
}

/** Collects the texts of a body, and tells whether nothing was left out. */
function textsOf(body: unknown, requestId: string): { texts: Text[]; isWhole: boolean } {
  const texts: Text[] = [];
  let isWhole = true;
  const collect = (value: unknown, field: string, depth: number): void => {
    if (typeof value === 'string') {
      if (texts.length >= mostTexts || value.length > longestText) isWhole = false;
      else if (value !== requestId) texts.push({ field, text: value, words: toWords(value) });
    } else if (typeof value === 'object' && value !== null) {
      if (depth > deepest) isWhole = false;
      else
        for (const [key, item] of Object.entries(value)) collect(item, within(field, value, key), depth + 1);
    }
  };
  collect(body, '', 1);
  return { texts, isWhole };
}

const within = (field: string, parent: object, key: string): string =>
  Array.isArray(parent) ? field : `${field} ${toWords(key)}`;

/** Recognizes a UUID, a number, a time, or an id such as the service's own of the request: nobody wrote these. */
const isOpaque = (text: string): boolean =>
  /^[\d ]*$|^[a-f-]*\d[\da-f-]{6,}$|^\d{4}-\d\d-\d\dT|^[a-z]{2,6}[_-][a-z]*\d[\da-z]{4,}$/i.test(text);

function toWords(text: string): string {
  return text
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, ' ')
    .trim();
}

/* @__NO_SIDE_EFFECTS__ */
function anyOf(patterns: () => readonly string[]): RegExp {
  return new RegExp(patterns().join('|'));
}
