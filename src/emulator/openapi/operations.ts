import type { OperationName } from '../state/faults.ts';

/**
 * The responses of an operation: the name of the schema of its success, and the statuses of its errors in addition to
 * those that every operation has.
 */
export const RESPONSES: Readonly<Record<OperationName, readonly [schema: string, ...errors: number[]]>> = {
  'onramps.create': ['Onramp', 403, 404, 409, 413],
  'onramps.refreshQuote': ['Onramp', 404, 409, 413],
  'onramps.acceptQuote': ['Onramp', 404, 409, 413],
  'onramps.list': ['OnrampList'],
  'onramps.retrieve': ['Onramp', 404],
  'accounts.create': ['Account', 403, 404, 413],
  'accounts.list': ['AccountList', 404],
  'accounts.retrieve': ['Account', 404],
  'accounts.delete': ['DeletedAccount', 404, 413],
  'transfers.create': ['Transfer', 404, 409, 413],
  'transfers.createBatch': ['TransferBatch', 404, 409, 413],
  'transfers.list': ['TransferList'],
  'transfers.retrieve': ['WalletTransfer', 404],
  'bridges.create': ['Bridge', 404, 409, 413],
  'bridges.acceptQuote': ['Bridge', 404, 409, 413],
  'bridges.list': ['BridgeList'],
  'bridges.retrieve': ['Bridge', 404],
  'offramps.create': ['Offramp', 404, 409, 413],
  'offramps.acceptQuote': ['Offramp', 404, 409, 413],
  'offramps.list': ['OfframpList'],
  'offramps.retrieve': ['Offramp', 404],
  'approvals.list': ['ApprovalList'],
  'approvals.approve': ['ApprovalDecision', 404, 409, 413],
  'approvals.reject': ['ApprovalDecision', 404, 409, 413],
  'reporting.retrieveResults': ['MetricResults', 404],
  'kyc.retrieve': ['KycInformation', 404],
  'externalWallets.list': ['ExternalWalletList', 404],
};

/** The tag of each family of operations, and its description. */
export const TAGS: Readonly<Record<string, { name: string; description: string }>> = {
  onramps: { name: 'Onramp', description: 'Fiat in, stablecoins out.' },
  accounts: { name: 'Account', description: 'Fiat accounts of a user.' },
  transfers: { name: 'Crypto Transfer', description: 'Stablecoins to one wallet or to many.' },
  bridges: { name: 'Cross-Chain Bridge', description: 'Stablecoins to another chain.' },
  offramps: { name: 'Offramp', description: 'Stablecoins in, fiat out.' },
  approvals: { name: 'Transfer Approvals', description: 'Decisions on transfers that wait for one.' },
  reporting: { name: 'Reporting', description: 'Saved metrics.' },
  kyc: { name: 'Kyc', description: 'The KYC information of a user.' },
  externalWallets: { name: 'Wallet', description: 'Wallets outside the service.' },
};

/** The meanings of the error statuses. */
export const ERRORS: Readonly<Record<number, string>> = {
  400: 'The request is not valid; nothing was made.',
  401: 'The bearer token is missing or not valid.',
  403: 'The user has no active rail for this.',
  404: 'Something that the request names does not exist.',
  409: 'The state does not allow it, or the requestId is known.',
  413: 'The body is larger than 1 MiB.',
  422: 'The requestId is known.',
  500: 'The service failed.',
};
