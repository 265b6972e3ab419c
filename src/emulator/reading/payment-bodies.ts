import * as z from 'zod/mini';
import { valueAt } from '../../shared/values.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { AFRICAN_CURRENCIES } from '../service/quotes.ts';
import {
  amountField,
  chain,
  coin,
  fiat,
  flagField,
  numberOrText,
  objectField,
  oneOfTexts,
  optionalText,
  positiveText,
  requestIdField,
  textField,
  walletAddress,
} from './check.ts';
import {
  type FieldRule,
  notBoth,
  onChain,
  oneAmount,
  oneGroup,
  oneText,
  where,
  withRules,
} from './field-rules.ts';

/** The schema of an amount of a batch in a dialect. */
function batchAmountOf({ batchAmounts }: Dialect) {
  const expected = {
    number: 'must be a number',
    string: 'must be a decimal text such as "0.01"',
    either: 'must be a finite number greater than 0, or a decimal text such as "0.01"',
  };
  const error = expected[batchAmounts];
  const decimal = positiveText(error);
  if (batchAmounts === 'string') return decimal;
  return batchAmounts === 'number' ? amountField : z.union([amountField, decimal], { error });
}

/** The fee of the integrator: fixed, or a percentage. */
const fee = z.nullish(
  objectField({
    type: oneOfTexts(['FIX', 'PERCENT']),
    value: numberOrText('must be a number of at least 0, or a decimal text'),
  }),
);

const common = { requestId: requestIdField, requireApproval: flagField, fee };
const coins = { currency: coin, chain };
const payer = objectField({ userId: textField });
const payee = { userId: optionalText, walletAddress: z.nullish(walletAddress) };

/** The rails of an onramp: of banks in the US, and those of registered accounts. */
const depositRail = z.nullish(oneOfTexts(['ach', 'wire', 'rtp', 'swift', 'bank', 'momo']));

/** Why money leaves some African countries. */
const PURPOSES = 'gift bills groceries travel health entertainment housing school-fees other'.split(' ');

const knownPurpose: FieldRule = (body) => {
  const purpose = valueAt(body, 'purposeOfPayment') ?? null;
  return purpose === null || PURPOSES.some((known) => known === purpose)
    ? undefined
    : { field: 'purposeOfPayment', message: `must be one of ${PURPOSES.join(', ')}` };
};

/** Every other currency comes from a registered account. */
const oneTimeInDollars: FieldRule = (body) =>
  valueAt(body, 'source.currency') === 'usd'
    ? undefined
    : oneGroup(['source.accountId'])(body) && {
        field: 'source.accountId',
        message: 'is required: a registered account. One-time deposits are in usd only',
      };

/** The body of a creation. An external wallet has a chain, and takes one stablecoin: then neither need be given. */
export function newOnramp({ name }: Dialect) {
  const body = objectField({
    requestId: requestIdField,
    purposeOfPayment: optionalText,
    isInstant: flagField,
    source: objectField({
      userId: textField,
      currency: fiat,
      amount: z.nullish(amountField),
      transferType: depositRail,
      accountId: optionalText,
    }),
    destination: objectField({
      userId: optionalText,
      currency: z.nullish(coin),
      chain: z.nullish(chain),
      amount: z.nullish(amountField),
      externalWalletId: optionalText,
    }),
    fee,
  });
  return withRules(body, [
    oneAmount('source.amount', 'destination.amount'),
    oneGroup(['destination.userId'], ['destination.externalWalletId']),
    oneGroup(['destination.currency', 'destination.chain'], ['destination.externalWalletId']),
    oneTimeInDollars,
    where('source.currency', AFRICAN_CURRENCIES, knownPurpose),
    ...(name === 'field'
      ? [where('source.currency', AFRICAN_CURRENCIES, oneGroup(['purposeOfPayment']))]
      : []),
  ]);
}

export type NewOnramp = z.output<ReturnType<typeof newOnramp>>;

const walletTransferBody = withRules(
  objectField({ ...common, ...coins, source: payer, destination: objectField(payee), amount: amountField }),
  [oneText('destination.userId', 'destination.walletAddress'), onChain('chain')],
);
export const walletTransfer = () => walletTransferBody;

/** A transfer to up to 50 recipients. */
export function batchTransfer(dialect: Dialect) {
  const recipient = withRules(objectField({ ...payee, amount: batchAmountOf(dialect) }), [
    oneText('userId', 'walletAddress'),
  ]);
  const batch = z
    .array(recipient, { error: 'must be a list of recipients' })
    .check(
      z.minLength(1, { error: 'must name at least one recipient' }),
      z.maxLength(50, { error: 'takes at most 50 recipients' }),
    );
  return withRules(objectField({ ...common, ...coins, source: payer, destination: objectField({ batch }) }), [
    onChain('chain'),
  ]);
}

const bridgeBody = withRules(
  objectField({
    ...common,
    amount: amountField,
    source: z.extend(payer, coins),
    destination: objectField({ ...payee, ...coins }),
  }),
  [notBoth('destination.userId', 'destination.walletAddress'), onChain('destination.chain')],
);
export const newBridge = () => bridgeBody;

/** Instructions to the receiving bank, which the record does not show. */
const instructions = {
  sameDayAch: flagField,
  achReference: limited(0, 10),
  wireMessage: wireMessage(),
  sepaReference: limited(6, 140),
  swiftReference: optionalText,
  swiftCharges: z.nullish(z.enum(['sha', 'our', 'SHA', 'OUR'], { error: "must be 'sha' or 'our'" })),
  paymentReference: optionalText,
};

/** The destination of an offramp as its record shows it. */
export function withoutInstructions(destination: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(destination).filter(([name]) => !Object.hasOwn(instructions, name)),
  );
}

const offrampBody = withRules(
  objectField({
    ...common,
    purposeOfPayment: optionalText,
    description: optionalText,
    supportingDocumentType: optionalText,
    supportingDocumentUrl: optionalText,
    source: objectField({
      ...coins,
      amount: z.nullish(amountField),
      userId: optionalText,
      externalWalletId: optionalText,
    }),
    destination: objectField({
      accountId: textField,
      currency: fiat,
      userId: optionalText,
      amount: z.nullish(amountField),
      ...instructions,
    }),
  }),
  [
    oneAmount('source.amount', 'destination.amount'),
    oneGroup(['source.userId'], ['source.externalWalletId']),
  ],
);
export const newOfframp = () => offrampBody;

const words = z.nullish(
  z.string({ error: 'must be a text' }).check(z.maxLength(1000, { error: 'is longer than 1000 characters' })),
);
const rejection = z.nullish(objectField({ comment: words, reason: words }));

/** The body of a decision on an approval. A rejection may give a `reason` instead of a `comment`. */
export const decisionBodies: Readonly<
  Record<'APPROVED' | 'REJECTED', z.ZodMiniType<z.output<typeof rejection>>>
> = { APPROVED: z.nullish(objectField({ comment: words })), REJECTED: rejection };

function limited(min: number, max: number) {
  const error =
    min === 0
      ? `must be a text of at most ${max} characters`
      : `must be a text of ${min} to ${max} characters`;
  return z.nullish(z.string({ error }).check(z.minLength(min, { error }), z.maxLength(max, { error })));
}

/** Up to four lines of 35 characters, as one text or as a list. A text without line breaks may have 140. */
function wireMessage() {
  const error = 'must be at most four lines of 35 characters';
  const lines = z.string().check(z.regex(/^(?:[^\n]{0,140}|(?:[^\n]{0,35}\n){0,3}[^\n]{0,35})$/, { error }));
  return z.nullish(
    z.union(
      [
        lines,
        z.array(z.string({ error }).check(z.maxLength(35, { error }))).check(z.maxLength(4, { error })),
      ],
      { error },
    ),
  );
}
