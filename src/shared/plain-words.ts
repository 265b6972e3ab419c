import { wordSet } from './word-lists.ts';

/**
 * Words that may begin with a capital letter: of sentences about requests, of the service's documentation, and of HTTP.
 * Any other capitalised word may be the name of a person. In this order the list weighs a sixth less in a compressed
 * bundle than in that of the alphabet.
 */
const vocabulary = /* @__PURE__ */ wordSet(
  'pending refuse may get operation first its field error key number what would transfer call currency be above ' +
    'verification any network all detail null by general method also timeout and receive duplicate must bearer kes ' +
    'of account long schema authentication end it only complete return await reason sandbox which late customer ' +
    'still under address failure auth reject client unprocessable who approval process json sent unexpected data ' +
    'find in spei up as ach later response wrong sgd country creation xof access fail denied day compliance expect ' +
    'the cannot try credential about they signature token another until metadata do approve authorization message ' +
    'parameter were check that could per routing ngn media list webhook wait read permission fill deposit resource ' +
    'global utc given member where chf payment too xaf send usage balance exist onramp action visit rtp individual ' +
    'africa once with on virtual after result contact clabe should page both rail nonce yes off sender will comment ' +
    'to holder pay use institution environment empty string base avalanche can content today mismatch same payload ' +
    'transaction company item match provider payer route available expire finish precondition endpoint body ' +
    'reference yet user how solana permit request type file chats offramp look was email none change passport ' +
    'source gbp active version via allow support sorry create authorize withdrawal note a profile cny i an unknown ' +
    'new idempotency bridge bank zmw submit require fps are decline year large value never payee param here gone ' +
    'purpose entity rule expiry before delete register payout there disable line recipient ethereum hkd however ' +
    'post swift is issue neither ugx while each zar last size without these insufficient eth swap fee partner ' +
    'unauthorized because please ask we wire than already out this missing sol fedwire one chain unavailable kyc ' +
    'either omad polygon set service retry her our when information status conflict have made your ghs offset sepa ' +
    'risk record kind imad policy between internal feature refer make if see again unsupported daily code you his ' +
    'minimum http incorrect connection format seems not non stellar invalid date into time name update id optimism ' +
    'at their mainnet for terminal fiat system malformed bad word twice wallet did many need being been illegal ' +
    'fund usa momo forbidden iban api african state rate input direct load tron enable limit reporting some ' +
    'upstream had take unable amount or text batch nothing arbitrum maximum low success other usd locked gateway ' +
    'using below such no usdc attempt has document valid quote ago us url verify from destination server usdt open ' +
    'combination search pix something argument temporarily cbu current order path since eur why frozen found am ' +
    'header phone put validation initiate role exceed beneficiary business does over uuid quota provide but ids ' +
    'doing',
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
