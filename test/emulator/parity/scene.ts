import { type AccountCreateParams, PaymentsClient } from 'stablecoin-payments';
import { createEmulator, type DialectName } from 'stablecoin-payments/emulator';
import { HOLDER, INSTRUCTIONS, newId, US_ACCOUNT, WALLET } from '../support.ts';

const coins = { currency: 'usdc', chain: 'POLYGON' };
const fee = { type: 'PERCENT', value: 1 } as const;

const bank = { bankName: 'B', accountNumber: '1', swiftCode: 'ABCDEFGH' };
/** The details of each region with every field that they have, and the three forms of an account in the US. */
export const REGIONS = [
  { type: 'us', us: { ...US_ACCOUNT.us, bankAddress: HOLDER.address, iban: 'I', swiftCode: 'S' } },
  { type: 'us', us: { ...US_ACCOUNT.us, bankAddress: '1 Road' } },
  { type: 'us', us: { transferType: 'swift', bankName: 'B', iban: 'I', swiftCode: 'S', currency: 'usd' } },
  { type: 'us', us: { transferType: 'swift', ...bank, currency: 'usd' } },
  {
    type: 'africa',
    africa: {
      financialInstitute: 'MTN',
      accountType: 'momo',
      accountNumber: '07',
      currency: 'ugx',
      country: 'uga',
    },
  },
  { type: 'brazil', brazil: { pixKey: 'k', currency: 'brl' } },
  {
    type: 'colombia',
    colombia: { bankName: 'B', bankCode: '1', accountNumber: '1', accountType: 'checking', currency: 'cop' },
  },
  { type: 'argentina', argentina: { accountType: 'CVU', accountNumber: '1', currency: 'ars' } },
  {
    type: 'mexico',
    mexico: { speiProtocol: 'clabe', speiInstitutionCode: '1', speiClabe: '1', currency: 'mxn' },
  },
  {
    type: 'brazilGlobalNetwork',
    brazilGlobalNetwork: { email: 'a@b.test', phone: '+5511987654321', pix: 'k', currency: 'brl' },
  },
  {
    type: 'nigeriaGlobalNetwork',
    nigeriaGlobalNetwork: { bankName: 'B', accountNumber: '1', currency: 'ngn' },
  },
  { type: 'mexicoGlobalNetwork', mexicoGlobalNetwork: { speiClabe: '1', currency: 'mxn' } },
  {
    type: 'hongKongGlobalNetwork',
    hongKongGlobalNetwork: { ...bank, bankCode: '1', transferType: 'chats', currency: 'hkd' },
  },
  { type: 'chinaGlobalNetwork', chinaGlobalNetwork: { ...bank, currency: 'cny' } },
  { type: 'singaporeGlobalNetwork', singaporeGlobalNetwork: { ...bank, currency: 'sgd' } },
] as const;

/** One response with the name of the public type that a method of the client gives for it. */
interface Received {
  readonly type: string;
  readonly value: unknown;
}

/** Calls every operation with every parameter through the strict client, and returns what came and what differed. */
export async function playAll(dialect: DialectName) {
  const emulator = createEmulator({ seed: 5, dialect, accountValidation: 0 });
  const { userId } = emulator.createUser({ rails: ['usd', 'africa'], externalWallets: 12 });
  const drift: unknown[] = [];
  const received: Received[] = [];
  const payments = new PaymentsClient({
    baseUrl: 'http://localhost',
    accessToken: 'token',
    fetch: emulator.fetch,
    responseValidation: 'strict',
    onDrift: (found) => void drift.push(found),
  });
  const see = <T>(type: string, value: T): T => {
    received.push({ type, value });
    return value;
  };
  const source = { userId };

  const accountIds: string[] = [];
  for (const region of REGIONS) {
    const accountHolder = {
      ...HOLDER,
      idType: 'PASS',
      idNumber: '1',
      dateOfBirth: '1990-01-31',
      nationality: 'UGA',
      formationDate: '2010-01-31',
    };
    // The lists of a region's words are wide here, and the client checks what it sends.
    const rail = accountIds.length === 0 ? 'offramp' : 'onramp';
    const params = { rail, accountHolder, ...region } as AccountCreateParams;
    accountIds.push(see('Account', await payments.accounts.create(userId, params)).id ?? '');
  }
  const [accountId = ''] = accountIds;
  for (const id of accountIds) see('Account', await payments.accounts.retrieve(userId, id));
  emulator.validateAccount(accountIds.at(-1) ?? '', { status: 'REJECTED', invalidFields: ['accountHolder'] });
  for await (const account of payments.accounts.list(userId, { limit: 5 })) see('Account', account);

  const wallets: string[] = [];
  for await (const wallet of payments.externalWallets.list(userId)) {
    wallets.push(see('ExternalWallet', wallet).id ?? wallet.referenceId ?? '');
  }
  for (const destination of [
    { userId, ...coins },
    { externalWalletId: wallets[0] ?? '', ...coins },
  ]) {
    const made = see(
      'Onramp',
      await payments.onramps.create({
        source: { userId, currency: 'usd', amount: 100, transferType: 'ach' },
        destination,
        purposeOfPayment: 'gift',
        isInstant: true,
        fee,
      }),
    );
    const { id, status } = made.transferDetails;
    if (status === 'OPEN_QUOTE') {
      see('Onramp', await payments.onramps.refreshQuote(id));
      emulator.acceptQuote(id);
    }
    see('Onramp', emulator.simulateDeposit(id));
    see('Onramp', emulator.advanceOnramp(id, { status: 'FIAT_FAILED', error: 'INTERNAL_ERROR' }));
  }

  for (const requireApproval of [true, false]) {
    const common = { ...coins, requireApproval };
    see(
      'Transfer',
      await payments.transfers.create({ source, destination: source, amount: 5, ...common, fee }),
    );
    see(
      'Transfer',
      await payments.transfers.create({
        source,
        destination: { walletAddress: WALLET },
        amount: 5,
        ...common,
      }),
    );
    const batch = [
      { userId, amount: '2.5' },
      { walletAddress: WALLET, amount: '1' },
    ];
    see('TransferBatch', await payments.transfers.createBatch({ source, destination: { batch }, ...common }));
    see(
      'Bridge',
      await payments.bridges.create({
        amount: 5,
        source: { userId, ...coins },
        destination: { ...coins, chain: 'BASE', userId },
        requireApproval,
      }),
    );
    for (const payer of [{ userId }, { externalWalletId: wallets[0] ?? '' }]) {
      see(
        'Offramp',
        await payments.offramps.create({
          requestId: newId(),
          purposeOfPayment: 'gift',
          description: 'd',
          supportingDocumentType: 'invoice',
          supportingDocumentUrl: 'https://x.test/i',
          source: { ...payer, ...coins, amount: 5 },
          destination: {
            accountId,
            currency: 'usd',
            userId,
            ...INSTRUCTIONS,
          },
          requireApproval,
        }),
      );
    }
  }
  const approvals = await payments.approvals.list({ limit: 100, offset: 0 }).toArray();
  for (const [place, approval] of approvals.entries()) {
    see('TransferApproval', approval);
    const { id } = approval;
    if (place % 2 === 0) see('ApprovalDecision', await payments.approvals.approve(id, { comment: 'c' }));
    else see('ApprovalDecision', await payments.approvals.reject(id, { reason: 'r', comment: 'c' }));
  }
  // A known request shows the record as it is, or its refusal; a quote is accepted outside the client.
  for (const { id, transferType, transferDetails } of emulator.state().transfers) {
    if (transferDetails.status !== 'OPEN_QUOTE') continue;
    const path = transferType === 'OFFRAMP' ? `/v2/offramps/${id}/quote` : `/v2/wallets/bridges/${id}`;
    const type = transferType === 'OFFRAMP' ? 'Offramp' : 'Bridge';
    see(type, await payments.request({ method: 'POST', path: `${path}/accept` }));
  }
  see('KycInformation', await payments.kyc.retrieve(userId));
  const { id } = emulator.createMetric({ breakdowns: ['transactionType'] });
  see('MetricResults', await payments.reporting.retrieveResults(id));
  const deleted = await payments.accounts.delete(userId, accountId);
  if (dialect === 'field') see('Account', deleted);
  return { drift, received, approvals: approvals.length, wallets: wallets.length };
}
