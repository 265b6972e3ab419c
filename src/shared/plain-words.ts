import { wordSet } from './word-lists.ts';

/**
 * Words that may begin with a capital letter: of sentences about requests, of the service's documentation, and of HTTP.
 * Any other capitalised word may be the name of a person.
 */
const vocabulary = /* @__PURE__ */ wordSet(
  'a about above access account action active address after again ago all allow already also am amount an and another any api ' +
    'approval approve are argument as ask at attempt auth authentication authorization authorized available await bad ' +
    'balance bank base batch be because been before bearer below beneficiary between body both bridge business but by call can ' +
    'cannot chain change check client code combination comment company complete compliance conflict connection ' +
    'contact content could country create creation credential currency current customer daily data date day ' +
    'decline delete denied deposit destination detail did direct disabled do document duplicate each either email empty ' +
    'enabled end endpoint entity environment error exceed exist expected expire expiry fail failure feature fee ' +
    'fiat field file fill find finish first for forbidden format found from frozen fund gateway general get given ' +
    'gone had has have header her here his holder how however i id idempotency if illegal in incorrect individual ' +
    'information initiate input institution insufficient internal into invalid is issue it item its json key kind kyc large ' +
    'last late later limit line list load locked long look low made make malformed many match maximum may media member ' +
    'message metadata method minimum mismatch missing momo must name need neither network never new no none nonce not nothing ' +
    'null number of off offramp offset on once one only onramp open operation or order other our out over page param ' +
    'parameter partner passport path pay payee payer payload payment payout pending per permission permit phone please policy ' +
    'post precondition process profile provide provider purpose put quota quote rail rate read reason ' +
    'receive recipient record refer reference refuse registered reject reporting request require resource ' +
    'response result retry returned risk role route routing rule same sandbox schema search see seems send sender sent ' +
    'server service set should signature since size some something sorry source state status still string submit ' +
    'success such support swap system take temporarily terminal text than that the their then there these they ' +
    'this time timeout to today token too transaction transfer try twice type unable unauthorized unavailable under ' +
    'unexpected unknown unprocessable unsupported until up update upstream url usage use user valid ' +
    'validation value verification verify version via virtual visit wait wallet was we webhook were what when ' +
    'where which while who why will with withdrawal without word would wrong year yes yet you your ' +
    'ach africa arbitrum avalanche base cbu chats chf clabe cny ethereum eth eur fedwire fps gbp ghs global hkd http iban imad ' +
    'kes mainnet ngn omad optimism pix polygon rtp sepa sgd solana spei stellar sol swift tron ugx us usa usd usdc usdt utc ' +
    'uuid wire xaf xof zar zmw',
);

/** Words that names of fields have, too. In a sentence each of them may be the name of a person or a place. */
const ofFields = /* @__PURE__ */ wordSet(
  'argentina birth brazil charge china city colombia comment cursor description external financial formation hong instant ' +
    'institute kong metric mexico nationality nigeria owner postal protocol province region singapore',
);

/** Returns true for a word of the vocabulary, also with an ending. */
export const isPlainWord = (lower: string): boolean =>
  vocabulary.has(lower) ||
  [/s$/, /es$/, /d$/, /ed$/, /ing$/, /ly$/, /n$/, /t$/].some((ending) =>
    vocabulary.has(lower.replace(ending, '')),
  ) ||
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
