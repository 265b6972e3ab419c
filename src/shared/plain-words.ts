import { wordSet } from './word-lists.ts';

/**
 * Words that may begin with a capital letter: of sentences about requests, of the service's documentation, and of HTTP.
 * Any other capitalised word may be the name of a person.
 */
const vocabulary = /* @__PURE__ */ wordSet(
  'a about above access account ach action active address africa african after again ago all allow already also ' +
    'am amount an and another any api approval approve arbitrum are argument as ask at attempt auth authentication ' +
    'authorization authorize available avalanche await bad balance bank base batch be bearer because been before ' +
    'being below beneficiary between body both bridge business but by call can cannot cbu chain change chats check ' +
    'chf clabe client cny code combination comment company complete compliance conflict connection contact content ' +
    'could country create creation credential currency current customer daily data date day decline delete denied ' +
    'deposit destination detail did direct disable do document does doing duplicate each either email empty enable ' +
    'end endpoint entity environment error eth ethereum eur exceed exist expect expire expiry fail failure feature ' +
    'fedwire fee fiat field file fill find finish first for forbidden format found fps from frozen fund gateway gbp ' +
    'general get ghs given global gone had has have header her here his hkd holder how however http i iban id ' +
    'idempotency ids if illegal imad in incorrect individual information initiate input institution insufficient ' +
    'internal into invalid is issue it item its json kes key kind kyc large last late later limit line list load ' +
    'locked long look low made mainnet make malformed many match maximum may media member message metadata method ' +
    'minimum mismatch missing momo must name need neither network never new ngn no non nonce none not note nothing ' +
    'null number of off offramp offset omad on once one only onramp open operation optimism or order other our out ' +
    'over page param parameter partner passport path pay payee payer payload payment payout pending per permission ' +
    'permit phone pix please policy polygon post precondition process profile provide provider purpose put quota ' +
    'quote rail rate read reason receive recipient record refer reference refuse register reject reporting request ' +
    'require resource response result retry return risk role route routing rtp rule same sandbox schema search see ' +
    'seems send sender sent sepa server service set sgd should signature since size sol solana some something sorry ' +
    'source spei state status stellar still string submit success such support swap swift system take temporarily ' +
    'terminal text than that the their there these they this time timeout to today token too transaction transfer ' +
    'tron try twice type ugx unable unauthorized unavailable under unexpected unknown unprocessable unsupported ' +
    'until up update upstream url us usa usage usd usdc usdt use user using utc uuid valid validation value ' +
    'verification verify version via virtual visit wait wallet was we webhook were what when where which while who ' +
    'why will wire with withdrawal without word would wrong xaf xof year yes yet you your zar zmw',
);

/** Words that names of fields have, too. In a sentence each of them may be the name of a person or a place. */
const ofFields = /* @__PURE__ */ wordSet(
  'argentina birth brazil charge china city colombia comment cursor description external financial formation hong instant ' +
    'institute kong metric mexico nationality nigeria owner postal protocol province region singapore',
);

/** Endings that a word of three letters or more may have: shorter ones would be the names Ann, Don and Wes with them. */
const endings = [/s$/, /(?<=[hosxz])es$/, /(?<=e)d$/, /ed$/, /ing$/, /ly$/, /(?<=[ew])n$/];

/** Returns true for a word of the vocabulary, also with an ending. */
export const isPlainWord = (lower: string): boolean =>
  vocabulary.has(lower) ||
  endings.some((ending) => {
    const stem = lower.replace(ending, '');
    return stem.length > 2 && vocabulary.has(stem);
  }) ||
  /^\d*$/.test(lower);

/**
 * Checks whether a text is the path of a field, such as `source.amount` or `destination.batch[3].amount`. A service that
 * names an invalid field may put a value in its place, so that only what is made of known words counts as a name.
 *
 * @param also - Further names that are known, such as the keys of the request.
 */
export function isFieldPath(text: string, also?: ReadonlySet<string>): boolean {
  if (text.length > 100 || !/^\w+(?:\[\d{1,3}\]|\.\w+)*$/.test(text)) return false;
  return text
    .split(/[.[\]]+/)
    .every((name) => also?.has(name) === true || (/^(?!\p{Lu}|.*\d{4})/u.test(name) && isMadeOfWords(name)));
}

const isMadeOfWords = (name: string): boolean =>
  name
    .split(/_|(?<=[a-z])(?=[A-Z\d])/)
    .map((word) => word.toLowerCase())
    .every((word) => ofFields.has(word.replace(/s$/, '')) || isPlainWord(word));
