import type { OfframpCreateParams, OfframpDestinationParams, OfframpSourceParams } from './offramps.ts';
import { amount, exactlyOne, flag, maybe, nullable, object, requestId, text, texts } from './param.ts';
import { lazy } from './response-shape.ts';

const source = /* @__PURE__ */ lazy(() =>
  object<OfframpSourceParams>(
    {
      userId: nullable(text()),
      externalWalletId: nullable(text()),
      currency: text(),
      chain: text(),
      amount: nullable(amount()),
    },
    exactlyOne('userId', 'externalWalletId'),
  ),
);

const destination = /* @__PURE__ */ lazy(() =>
  object<OfframpDestinationParams>({
    accountId: text(),
    currency: text(),
    amount: nullable(amount()),
    sameDayAch: maybe(flag()),
    ...texts('userId achReference wireMessage sepaReference swiftReference swiftCharges paymentReference'),
  }),
);

export const offrampCreateParams = /* @__PURE__ */ lazy(() =>
  object<OfframpCreateParams>(
    {
      requestId: requestId(),
      source: source(),
      destination: destination(),
      ...texts('purposeOfPayment description supportingDocumentType supportingDocumentUrl'),
      requireApproval: maybe(flag()),
    },
    exactlyOne('source.amount', 'destination.amount'),
  ),
);
