import { canRefreshQuote, type Onramp, type PaymentsClient, quoteExpiresAt } from 'stablecoin-payments';

/** The minimum time, in milliseconds, that a customer needs to read a quote and pay. */
const timeToPay = 2 * 60_000;

/** What a checkout page shows before the customer confirms. */
export interface Offer {
  readonly onramp: Onramp;
  readonly sends: string;
  readonly receives: string;
  /** When the quote expires; null if the service gives no instant. */
  readonly expiresAt: Date | null;
}

/** Quotes an onramp from a registered account. */
export async function quote(
  payments: PaymentsClient,
  userId: string,
  account: { id: string; currency: string },
  amount: number,
): Promise<Offer> {
  return offerOf(
    await payments.onramps.create({
      purposeOfPayment: 'other',
      source: { userId, currency: account.currency, amount, accountId: account.id },
      destination: { userId, currency: 'usdc', chain: 'POLYGON' },
    }),
  );
}

/** Returns the same offer while it leaves enough time, or else a fresh one. Show the new amounts to the customer. */
export async function keepFresh(payments: PaymentsClient, offer: Offer, now = new Date()): Promise<Offer> {
  const left = offer.expiresAt === null ? 0 : Number(offer.expiresAt) - Number(now);
  if (left > timeToPay || neverExpires(offer.onramp) || !canRefreshQuote(offer.onramp)) return offer;
  return offerOf(await payments.onramps.refreshQuote(offer.onramp.transferDetails.id));
}

/** `N/A` means no expiry. After any other text without an instant, such as a time without a zone, refresh. */
const neverExpires = ({ transferDetails: { quoteInformation } }: Onramp): boolean =>
  (quoteInformation?.expiresAt ?? 'N/A') === 'N/A';

function offerOf(onramp: Onramp): Offer {
  const { quoteInformation: terms, source } = onramp.transferDetails;
  return {
    onramp,
    sends: `${terms?.sendGross?.amount ?? source.amount} ${terms?.sendGross?.currency ?? source.currency}`,
    receives: `${terms?.receiveNet?.amount ?? '?'} ${terms?.receiveNet?.currency ?? ''}`.trim(),
    expiresAt: quoteExpiresAt(onramp),
  };
}
