import {
  type Account,
  AccountRejectedError,
  type AfricaAccountCreateParams,
  accountIdOf,
  isPaymentsError,
  type Onramp,
  type PaymentsClient,
  requestIdFrom,
} from 'stablecoin-payments';

/** The customer, from your sign-up form. The account holder must match the user's KYC data. */
export interface Payer {
  readonly userId: string;
  readonly holder: NonNullable<AfricaAccountCreateParams['accountHolder']>;
  readonly wallet: AfricaAccountCreateParams['africa'];
}

/** What to show the customer. */
export type Result =
  | { readonly kind: 'started'; readonly onramp: Onramp }
  /** An earlier run started it: look the onramp up by its `requestId`, or wait for an event. */
  | { readonly kind: 'known'; readonly requestId: string }
  | { readonly kind: 'correct'; readonly fields: readonly string[] };

/**
 * Buys stablecoins with mobile money: registers the wallet once, waits until it is active, and creates the onramp, one for a
 * purchase, however often it runs.
 */
export async function buyWithMobileMoney(
  payments: PaymentsClient,
  purchaseId: string,
  payer: Payer,
  amount: number,
  options: { interval?: number; deadline?: number } = {},
): Promise<Result> {
  const { userId, wallet } = payer;
  const requestId = requestIdFrom('purchase', purchaseId);
  try {
    const accountId = accountIdOf((await findAccount(payments, payer)) ?? (await register(payments, payer)));
    await payments.accounts.waitUntilActive(userId, accountId, options);
    const onramp = await payments.onramps.create({
      requestId,
      purposeOfPayment: 'other',
      source: { userId, currency: wallet.currency, amount, accountId },
      destination: { userId, currency: 'usdc', chain: 'POLYGON' },
    });
    return { kind: 'started', onramp };
  } catch (error) {
    if (error instanceof AccountRejectedError) return { kind: 'correct', fields: error.invalidFields };
    if (isPaymentsError(error) && error.code === 'request_id_known') return { kind: 'known', requestId };
    throw error;
  }
}

/** Finds the registered account, so that a second purchase, or a retry after a crash, registers no second one. */
function findAccount(payments: PaymentsClient, { userId, wallet }: Payer): Promise<Account | undefined> {
  return payments.accounts
    .list(userId, { rail: 'onramp' })
    .toArray()
    .then((accounts) =>
      accounts.find(
        ({ africa, status, isValid }) =>
          status !== 'REJECTED' && isValid !== false && africa?.accountNumber === wallet.accountNumber,
      ),
    );
}

const register = (payments: PaymentsClient, { userId, holder, wallet }: Payer): Promise<Account> =>
  payments.accounts.create(userId, {
    rail: 'onramp',
    type: 'africa',
    accountHolder: holder,
    africa: wallet,
  });
