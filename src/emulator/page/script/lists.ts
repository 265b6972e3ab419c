/** How each kind of record reads in a line, and what to do while there is none. */
export const LISTS_SCRIPT = String.raw`
const GOOD = ['COMPLETED', 'ACTIVE', 'APPROVED'];
const BAD = /FAILED|REJECTED|RETURNED|EXPIRED|CANCELLED/;

function mood(status) {
  if (GOOD.includes(status)) return 'good';
  if (BAD.test(status)) return 'bad';
  return status === '' || status === 'UNKNOWN' ? '' : 'wait';
}

function money(amount, currency, chain) {
  return [amount, currency, chain === null || chain === undefined ? undefined : 'on ' + chain].filter((part) => part !== undefined && part !== null).join(' ');
}

/** A command to paste, for whatever address this page was opened at. */
function curl(method, path, body, view, withToken) {
  const token = withToken ? [" -H 'Authorization: Bearer " + (view.anyToken ? 'any-token' : "'\"$TOKEN\"'") + "'"] : [];
  const data = body === undefined ? [] : [" -H 'Content-Type: application/json'", " -d '" + JSON.stringify(body) + "'"];
  return ['curl ' + (method === 'GET' ? '' : '-X ' + method + ' ') + location.origin + BASE + path, ...token, ...data].join(' \\\n ');
}

const SAMPLE_ID = '00000000-0000-4000-8000-00000000000';

function sampleTransfer(view, requireApproval) {
  const userId = view.latestUserId ?? 'USER_ID';
  const requestId = SAMPLE_ID + '2';
  return curl('POST', '/v2/wallets/transfers', { requestId, source: { userId }, destination: { userId }, amount: 25, currency: 'usdc', chain: 'POLYGON', requireApproval }, view, true);
}

function sampleAccount(view) {
  const address = { addressLine1: '1 Example Road', city: 'Kampala', stateProvinceRegion: 'Central', postalCode: '10101', country: 'UGA' };
  const accountHolder = { type: 'individual', name: 'Jane Doe', phone: '+256700000000', email: 'jane@example.com', address };
  const africa = { financialInstitute: 'MTN', accountType: 'momo', accountNumber: '0700000000', currency: 'ugx', country: 'uga' };
  return curl('POST', '/v2/users/' + (view.latestUserId ?? 'USER_ID') + '/accounts', { rail: 'onramp', type: 'africa', accountHolder, africa }, view, true);
}

function sampleOnramp(view) {
  const userId = view.latestUserId ?? 'USER_ID';
  return curl('POST', '/v2/onramps', { requestId: SAMPLE_ID + '1', source: { userId, currency: 'usd', amount: 100, transferType: 'ach' }, destination: { userId, currency: 'usdc', chain: 'POLYGON' } }, view, true);
}

function sampleUser(view) {
  return curl('POST', '/_emulator/users', { rails: ['usd', 'africa'] }, view, false);
}

const LISTS = {
  approvals: {
    title: 'Approvals',
    line: (approval, view) => {
      const about = view.amounts[approval.id];
      const comment = approval.votes.at(-1)?.comment;
      return {
        status: approval.status,
        title: approval.transferType + (about === undefined ? '' : ' ' + money(about.amount, about.currency, about.chain)),
        facts: ['transfer ' + short(approval.transferId), when(approval.createdAt), comment ? '“' + comment + '”' : undefined],
      };
    },
    actions: approvalActions,
    signature: (approval) => approval.status,
    empty: 'A transfer with requireApproval waits here for a decision.',
    sample: (view) => sampleTransfer(view, true),
  },
  transfers: {
    title: 'Transfers',
    line: ({ id, transferType, transferDetails: details }) => ({
      status: details.status,
      title: transferType + ' ' + money(details.amount, details.currency, details.chain),
      facts: [short(id), when(details.createdAt), details.errorDetails],
    }),
    empty: 'No transfer yet: wallet transfers, batches, bridges and offramps appear here.',
    sample: (view) => sampleTransfer(view, false),
  },
  onramps: {
    title: 'Onramps',
    line: ({ id, transferDetails: details }) => ({
      status: details.status,
      title: money(details.source.amount, details.source.currency) + ' → ' + money(details.destination.amount, details.destination.currency, details.destination.chain),
      facts: [short(id), when(details.createdAt), details.source.accountId === null ? 'one-time deposit' : 'account ' + short(details.source.accountId), details.errorDetails],
    }),
    actions: onrampActions,
    signature: ({ transferDetails: { status } }) => status,
    empty: 'No onramp yet. A USD one without an account gets deposit instructions, and a Deposit button here.',
    sample: sampleOnramp,
  },
  accounts: {
    title: 'Accounts',
    line: (account) => {
      const region = account.us ?? account.africa ?? {};
      return {
        status: account.status,
        title: (region.bankName ?? region.financialInstitute ?? account.type) + ' ' + (region.currency ?? ''),
        facts: [short(account.id), account.accountHolder?.name, when(account.createdAt), account.invalidFields.length > 0 ? 'invalid: ' + account.invalidFields.join(', ') : undefined],
      };
    },
    actions: accountActions,
    signature: (account) => account.status,
    empty: 'No onramp account yet. A new one is validated after a few seconds, or by hand here.',
    sample: sampleAccount,
  },
  events: {
    title: 'Events',
    line: (event) => ({ status: '', title: event.eventType, facts: [short(event.id), when(event.createdAt), event.data.transferId === undefined ? 'account ' + short(event.data.accountId) : 'transfer ' + short(event.data.transferId)] }),
    beside: true,
    actions: eventActions,
    signature: () => '',
    empty: 'Events appear when an onramp account is created or changes, and when an approval is opened or decided. They go to the webhook that the emulator was started with.',
  },
  requests: {
    title: 'Requests',
    line: (request) => ({
      status: request.status === null ? 'no answer' : String(request.status),
      mood: request.status === null || request.status >= 500 ? 'bad' : request.status >= 400 ? 'wait' : 'good',
      title: request.method + ' ' + request.path,
      facts: [when(request.at), request.operation, request.duration.toFixed(1) + ' ms', request.fault === null ? undefined : 'fault ' + request.fault],
    }),
    empty: 'Requests appear as they come; the looks of this page itself are left out.',
    sample: (view) => curl('GET', '/v2/transfer-approvals', undefined, view, true),
  },
  users: {
    title: 'Users',
    line: (user) => ({
      status: '',
      title: [user.kycInfo?.firstName, user.kycInfo?.lastName].filter((part) => typeof part === 'string').join(' ') || 'User ' + short(user.id),
      facts: [user.id, user.rails.length > 0 ? 'rails ' + user.rails.join(', ') : 'no rails'],
    }),
    empty: 'Start here: create a user with the form on this page, or from a terminal.',
    sample: sampleUser,
  },
  externalWallets: {
    title: 'External wallets',
    line: (wallet) => ({ status: '', title: wallet.name, facts: [wallet.address, wallet.chain, 'user ' + short(wallet.userId)] }),
    empty: 'A new user has three external wallets, and gets more by a request.',
    sample: (view) => curl('POST', '/_emulator/users/' + (view.latestUserId ?? 'USER_ID') + '/external-wallets', { name: 'Cold storage' }, view, false),
  },
  faults: {
    title: 'Faults',
    line: (fault) => ({
      status: '',
      title: fault.kind + ' on ' + (fault.operation === '*' ? 'every operation' : fault.operation),
      facts: [fault.times === 1 ? 'the next call' : 'the next ' + fault.times + ' calls', fault.status === undefined ? undefined : 'status ' + fault.status, fault.latency === undefined ? undefined : fault.latency + ' ms late', fault.retryAfter === undefined ? undefined : 'Retry-After ' + fault.retryAfter],
    }),
    beside: true,
    actions: faultActions,
    signature: () => '',
    empty: 'No fault waits: every call gets its answer. Inject one with the form on this page, or by a request.',
    sample: (view) => curl('POST', '/_emulator/faults', { operation: 'transfers.create', kind: 'reset-after-commit', times: 1 }, view, false),
  },
  metrics: {
    title: 'Metrics',
    line: (metric) => ({ status: '', title: metric.name, facts: [metric.id, 'every ' + metric.calculationInterval] }),
    empty: 'No metric is saved yet.',
    sample: (view) => curl('POST', '/_emulator/metrics', { template: 'GROSS_VOLUME', calculationInterval: 'day' }, view, false),
  },
};
`;
