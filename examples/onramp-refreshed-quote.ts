import { canRefreshQuote, type Onramp, type PaymentsClient, quoteExpiresAt } from 'stablecoin-payments';

/** The least time, in milliseconds, that a payer needs between seeing a quote and paying by it. */
const timeToPay = 2 * 60_000;

/** What a checkout page shows before the payer confirms. */
export interface Offer {
  readonly onramp: Onramp;
  readonly sends: string;
  readonly receives: string;
  /** Until when this holds; null when the service names no time. */
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

/** The same offer while it leaves the payer enough time, or else a fresh one. Show its new amounts before you go on. */
export async function keepFresh(payments: PaymentsClient, offer: Offer, now = new Date()): Promise<Offer> {
  const left = offer.expiresAt === null ? Number.POSITIVE_INFINITY : Number(offer.expiresAt) - Number(now);
  if (left > timeToPay || !canRefreshQuote(offer.onramp)) return offer;
  return offerOf(await payments.onramps.refreshQuote(offer.onramp.transferDetails.id));
}

function offerOf(onramp: Onramp): Offer {
  const { quoteInformation: terms, source } = onramp.transferDetails;
  return {
    onramp,
    sends: `${terms?.sendGross?.amount ?? source.amount} ${terms?.sendGross?.currency ?? source.currency}`,
    receives: `${terms?.receiveNet?.amount ?? '?'} ${terms?.receiveNet?.currency ?? ''}`.trim(),
    expiresAt: quoteExpiresAt(onramp),
  };
}
