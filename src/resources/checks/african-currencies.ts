import { wordSet } from '../../schemas/words.ts';

/** ISO 4217 codes of the currencies of African countries, in lower case as the service writes them. */
const codes = /* @__PURE__ */ wordSet(
  'aoa bif bwp cdf cve djf dzd egp ern etb ghs gmd gnf kes kmf lrd lsl lyd mad mga mru mur mwk mzn nad ngn ' +
    'rwf scr sdg sle sos ssp stn szl tnd tzs ugx xaf xof zar zmw zwg',
);

/** Whether a fiat currency is one of Africa's, for which the service has no one-time deposits. */
export function isAfricanCurrency(currency: unknown): boolean {
  return typeof currency === 'string' && codes.has(currency.toLowerCase());
}
