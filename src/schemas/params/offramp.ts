import type {
  OfframpCreateParams,
  OfframpDestinationParams,
  OfframpSourceParams,
} from '../../types/offramp.ts';
import { lazy } from '../zod.ts';
import { amount, exactlyOne, flag, maybe, nullable, object, requestId, text } from './param.ts';

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
    userId: maybe(text()),
    amount: nullable(amount()),
    sameDayAch: maybe(flag()),
    achReference: maybe(text()),
    wireMessage: maybe(text()),
    sepaReference: maybe(text()),
    swiftReference: maybe(text()),
    swiftCharges: maybe(text()),
    paymentReference: maybe(text()),
  }),
);

export const offrampCreateParams = /* @__PURE__ */ lazy(() =>
  object<OfframpCreateParams>(
    {
      requestId: requestId(),
      source: source(),
      destination: destination(),
      purposeOfPayment: maybe(text()),
      description: maybe(text()),
      supportingDocumentType: maybe(text()),
      supportingDocumentUrl: maybe(text()),
      requireApproval: maybe(flag()),
    },
    exactlyOne('source.amount', 'destination.amount'),
  ),
);
