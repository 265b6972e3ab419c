import type { OnrampCreateParams, OnrampSourceParams } from './onramps.ts';
import {
  amount,
  exactlyOne,
  flag,
  maybe,
  missingText,
  nullable,
  object,
  type Rule,
  requestId,
  text,
  variants,
} from './param.ts';
import { fee } from './param-parts.ts';
import { lazy } from './response-shape.ts';

const source = /* @__PURE__ */ lazy(() =>
  object<OnrampSourceParams>(
    {
      userId: text(),
      currency: text(),
      amount: nullable(amount()),
      transferType: maybe(text()),
      accountId: maybe(text()),
    },
    africanAccount,
  ),
);

/** The service has no one-time deposits in the currencies of Africa. */
const africanAccount: Rule = ({ currency, accountId }) =>
  accountId === undefined && african.test(String(currency))
    ? {
        path: 'accountId',
        why: 'is missing: African currencies need an active account (`accounts.create`)',
      }
    : undefined;

const african = /^(?:ngn|ugx|kes|zmw|mwk|rwf|tzs|xaf|xof|bwp|cdf|ghs|zar)$/i;

const destination = /* @__PURE__ */ lazy(() =>
  variants<OnrampCreateParams['destination']>(
    {
      userId: nullable(text()),
      externalWalletId: nullable(text()),
      currency: maybe(text()),
      chain: maybe(text()),
      amount: nullable(amount()),
    },
    exactlyOne('userId', 'externalWalletId'),
    completeForUser,
  ),
);

/** An external wallet has a currency and a chain of its own. */
const completeForUser: Rule = (value) => {
  const missing = ['currency', 'chain'].find((name) => value[name] === undefined);
  return typeof value.userId === 'string' && missing !== undefined
    ? { path: missing, why: missingText }
    : undefined;
};

export const onrampCreateParams = /* @__PURE__ */ lazy(() =>
  object<OnrampCreateParams>(
    {
      requestId: requestId(),
      source: source(),
      destination: destination(),
      purposeOfPayment: maybe(text()),
      fee: fee(),
      isInstant: maybe(flag()),
    },
    exactlyOne('source.amount', 'destination.amount'),
  ),
);
