import {
  type Account,
  type AccountCreateParams,
  accountIdOf,
  approvalOf,
  type ClientOptions,
  type ExternalWallet,
  isKnownOnrampStatus,
  isPaymentsError,
  type Kyc,
  type KycInformation,
  type MetricResults,
  type Onramp,
  type OnrampCreateParams,
  OnrampStatus,
  type Page,
  type PagePromise,
  PaymentsClient,
  type RequestOptions,
  requestIdFrom,
  type TransferApproval,
  type TransferBatch,
} from 'stablecoin-payments';
import { createEmulator } from 'stablecoin-payments/emulator';
import { startEmulatorServer } from 'stablecoin-payments/emulator/node';
import { createWebhookReceiver, standardWebhooks, type WebhookEvent } from 'stablecoin-payments/webhooks';

const options: ClientOptions = {
  environment: 'sandbox',
  baseUrls: { sandbox: 'https://sandbox.example.com' },
  accessToken: async ({ reason }) => reason,
  timeout: 30_000,
  retries: 2,
  responseValidation: 'tolerant',
  logger: console,
  fetch: globalThis.fetch,
};
const params: OnrampCreateParams = {
  source: { userId: 'u', currency: 'usd', amount: 1 },
  destination: { userId: 'u', currency: 'usdc', chain: 'POLYGON' },
};
const account: AccountCreateParams = {
  rail: 'onramp',
  type: 'us',
  accountHolder: {
    type: 'individual',
    name: 'n',
    phone: '+1',
    email: 'e',
    address: { addressLine1: 'a', city: 'c', stateProvinceRegion: 's', postalCode: 'p', country: 'USA' },
  },
  us: {
    transferType: 'ach',
    accountType: 'checking',
    accountNumber: '1',
    routingNumber: '1',
    bankName: 'b',
    currency: 'usd',
  },
};

export async function main(payments: PaymentsClient, call: RequestOptions): Promise<unknown> {
  const onramp: Onramp = await payments.onramps.create(params, call);
  const status = onramp.transferDetails.status;
  if (isKnownOnrampStatus(status) && status === OnrampStatus.COMPLETED)
    return onramp.transferDetails.receipt?.transactionHash;
  const { data, response, attempts } = await payments.onramps.refreshQuote('id').withResponse();
  const list: PagePromise<TransferApproval> = payments.approvals.list({ limit: 10 });
  for await (const approval of list) await payments.approvals.approve(approval.id);
  const page: Page<ExternalWallet> = await payments.externalWallets.list('u');
  const active: Account = await payments.accounts.waitUntilActive(
    'u',
    accountIdOf(await payments.accounts.create('u', account)),
  );
  const kyc: KycInformation = await payments.kyc.retrieve('u');
  const metric: MetricResults<'transactionType', 'grossVolume'> =
    await payments.reporting.retrieveResults('m');
  const volume: number | undefined = metric.data[0]?.grossVolume;
  const transfer: TransferBatch = await payments.transfers.createBatch(
    {
      requestId: requestIdFrom('a', 1),
      source: { userId: 'u' },
      destination: { batch: [{ userId: 'v', amount: '0.01' }] },
      currency: 'usdc',
      chain: 'POLYGON',
    },
    { extraBody: { anything: [1] } },
  );
  // @ts-expect-error: a misspelled field.
  approvalOf(transfer)?.statuss;
  try {
    await payments.withOptions({ deadline: 100 }).request<{ ok: boolean }>({ method: 'GET', path: '/v2/x' });
  } catch (error) {
    if (isPaymentsError(error)) return [error.outcome, error.requestId];
  }
  return [
    data,
    response.status,
    attempts,
    page.items,
    active.status,
    kyc.kycInfo.firstName,
    volume,
    transfer.transferType,
  ];
}

export function receive(event: WebhookEvent): string | null | undefined {
  return event.eventType === 'TRANSFER.APPROVAL.REJECTED' ? event.data.comment : undefined;
}

export const client = (): PaymentsClient => new PaymentsClient(options);
export const emulator = createEmulator({ seed: 1 });
export const server = startEmulatorServer({ emulator });
export const receiver = createWebhookReceiver({
  verifier: standardWebhooks({ secret: 'whsec_c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0' }),
});
export const identity: Kyc = client().withOptions({ retries: 0 }).kyc;
// @ts-expect-error: the class of a namespace is a type.
export const own = (): unknown => new Kyc();
