import type { ListName } from '../src/emulator/page/kinds.ts';
import type { EmulatorView } from '../src/emulator/page/view.ts';
import { USUAL_LATENCY } from '../src/emulator/state/faults.ts';
import { field, textAt } from './api.ts';
import { money, short, when } from './format.ts';

/** How a record reads in one line. */
interface Line {
  status: string;
  title: string;
  facts: string[];
}

export interface ListKind {
  title: string;
  /** One of them. */
  one: string;
  line: (record: unknown, view: Pick<EmulatorView, 'amounts'>) => Line;
  /** What to do while there is none. */
  empty: string;
  statuses?: readonly string[];
}

const at = textAt;
/** The delay that a fault causes. */
function lateBy(fault: unknown): number {
  const latency = field(fault, 'latency');
  const usual = at(fault, 'kind') === 'latency' ? USUAL_LATENCY : 0;
  return typeof latency === 'number' ? latency : usual;
}
const facts = (...parts: (string | undefined | false)[]): string[] =>
  parts.filter((part): part is string => typeof part === 'string' && part !== '');

const paymentStatuses = [
  ...['PENDING_APPROVAL', 'OPEN_QUOTE', 'CREATED', 'INITIATED', 'PENDING'],
  ...['COMPLETED', 'REJECTED', 'CANCELLED'],
];

export const LISTS: Record<ListName, ListKind> = {
  approvals: {
    title: 'Approvals',
    one: 'Approval',
    statuses: ['PENDING', 'APPROVED', 'REJECTED', 'EXPIRED'],
    line: (approval, { amounts }) => {
      const about = amounts[at(approval, 'id')];
      const votes = field(approval, 'votes');
      const comment = Array.isArray(votes) ? textAt(votes.at(-1), 'comment') : '';
      return {
        status: at(approval, 'status'),
        title: `${at(approval, 'transferType')} ${about === undefined ? '' : money(about.amount, about.currency, about.chain)}`,
        facts: facts(
          `transfer ${short(at(approval, 'transferId'))}`,
          when(at(approval, 'createdAt')),
          comment !== '' && `“${comment}”`,
        ),
      };
    },
    empty: 'A transfer with requireApproval waits here for a decision.',
  },
  transfers: {
    title: 'Transfers',
    one: 'Transfer',
    statuses: paymentStatuses,
    line: (transfer) => ({
      status: at(transfer, 'transferDetails.status'),
      title: `${at(transfer, 'transferType')} ${money(at(transfer, 'transferDetails.amount'), at(transfer, 'transferDetails.currency'), at(transfer, 'transferDetails.chain') || undefined)}`,
      facts: facts(
        short(at(transfer, 'id')),
        when(at(transfer, 'transferDetails.createdAt')),
        at(transfer, 'transferDetails.errorDetails'),
      ),
    }),
    empty: 'No transfer yet. Wallet transfers, batches, bridges and offramps appear here.',
  },
  onramps: {
    title: 'Onramps',
    one: 'Onramp',
    statuses: [
      'OPEN_QUOTE',
      'AWAITING_FUNDS',
      'FIAT_PENDING',
      'COMPLETED',
      'FIAT_FAILED',
      'FIAT_RETURNED',
      'EXPIRED',
    ],
    line: (onramp) => {
      const details = field(onramp, 'transferDetails');
      const account = at(details, 'source.accountId');
      const received = at(details, 'destination.amount') || undefined;
      return {
        status: at(details, 'status'),
        title: `${money(at(details, 'source.amount'), at(details, 'source.currency'))} → ${money(received, at(details, 'destination.currency'), at(details, 'destination.chain'))}`,
        facts: facts(
          short(at(onramp, 'id')),
          when(at(details, 'createdAt')),
          account === '' ? 'one-time deposit' : `account ${short(account)}`,
          at(details, 'errorDetails'),
        ),
      };
    },
    empty: 'No onramp yet. One in USD without an account shows deposit instructions and a Deposit button.',
  },
  accounts: {
    title: 'Accounts',
    one: 'Account',
    statuses: ['PENDING', 'ACTIVE', 'REJECTED'],
    line: (account) => {
      const region = field(account, 'us') ?? field(account, 'africa') ?? {};
      const invalid = field(account, 'invalidFields');
      return {
        status: at(account, 'status'),
        title: `${at(region, 'bankName') || at(region, 'financialInstitute') || at(account, 'type')} ${at(region, 'currency')}`,
        facts: facts(
          short(at(account, 'id')),
          at(account, 'accountHolder.name'),
          when(at(account, 'createdAt')),
          Array.isArray(invalid) && invalid.length > 0 && `invalid: ${invalid.join(', ')}`,
        ),
      };
    },
    empty: 'No onramp account yet. A new account is validated after a few seconds, or by hand here.',
  },
  users: {
    title: 'Users',
    one: 'User',
    line: (user) => {
      const rails = field(user, 'rails');
      const name = [at(user, 'kycInfo.firstName'), at(user, 'kycInfo.lastName')]
        .filter((part) => part !== '')
        .join(' ');
      return {
        status: '',
        title: name || `User ${short(at(user, 'id'))}`,
        facts: facts(
          at(user, 'id'),
          Array.isArray(rails) && rails.length > 0 ? `rails ${rails.join(', ')}` : 'no rails',
        ),
      };
    },
    empty: 'No user yet. Create one here, or with POST /_emulator/users.',
  },
  balances: {
    title: 'Balances',
    one: 'Balance',
    line: (balance) => ({
      status: '',
      title: money(at(balance, 'amount'), at(balance, 'currency'), at(balance, 'chain')),
      facts: facts(`user ${short(at(balance, 'userId'))}`),
    }),
    empty: 'Every balance is unlimited until you set one.',
  },
  events: {
    title: 'Events',
    one: 'Event',
    line: (event) => {
      const [transfer, account] = [
        at(event, 'data.transferId') || at(event, 'data.id'),
        at(event, 'data.accountId'),
      ];
      return {
        status: '',
        title: at(event, 'eventType'),
        facts: facts(
          short(at(event, 'id')),
          when(at(event, 'createdAt')),
          transfer !== '' && `transfer ${short(transfer)}`,
          account !== '' && `account ${short(account)}`,
        ),
      };
    },
    empty: 'An event appears when an onramp account changes, and when an approval is opened or decided.',
  },
  deliveries: {
    title: 'Deliveries',
    one: 'Delivery',
    statuses: ['pending', 'retrying', 'delivered', 'given-up'],
    line: (delivery) => {
      const attempts = field(delivery, 'attempts');
      const count = Array.isArray(attempts) ? attempts.length : 0;
      const last: unknown = Array.isArray(attempts) ? attempts.at(-1) : undefined;
      const response = at(last, 'status') || at(last, 'error');
      return {
        status: at(delivery, 'status'),
        title: at(delivery, 'eventType'),
        facts: facts(
          `event ${short(at(delivery, 'eventId'))}`,
          when(at(delivery, 'createdAt')),
          `${count} ${count === 1 ? 'attempt' : 'attempts'}`,
          response !== '' && `last response ${response}`,
        ),
      };
    },
    empty: 'Events that are sent to a webhook appear here. Start the emulator with --webhook-url.',
  },
  requests: {
    title: 'Requests',
    one: 'Request',
    statuses: ['2xx', '4xx', '5xx', 'no response'],
    line: (request) => ({
      status: at(request, 'status') || 'no response',
      title: `${at(request, 'method')} ${at(request, 'path')}`,
      facts: facts(
        when(at(request, 'at')),
        at(request, 'operation'),
        at(request, 'amount'),
        at(request, 'requestId') !== '' && `requestId ${at(request, 'requestId')}`,
        `${Number(at(request, 'duration')).toFixed(1)} ms`,
        at(request, 'fault') !== '' && `fault ${at(request, 'fault')}`,
        at(request, 'error'),
      ),
    }),
    empty: 'Requests appear as they arrive. Requests of this page itself are left out.',
  },
  faults: {
    title: 'Faults',
    one: 'Fault',
    line: (fault) => ({
      status: '',
      title: `${at(fault, 'kind')} on ${at(fault, 'operation') === '*' ? 'every operation' : at(fault, 'operation')}`,
      facts: facts(
        at(fault, 'times') === '1' ? 'the next call' : `the next ${at(fault, 'times')} calls`,
        at(fault, 'status') !== '' && `status ${at(fault, 'status')}`,
        lateBy(fault) > 0 && `${lateBy(fault)} ms late`,
        at(fault, 'retryAfter') !== '' && `Retry-After ${at(fault, 'retryAfter')}`,
        at(fault, 'field') !== '' && `field ${at(fault, 'field')}`,
      ),
    }),
    empty: 'No fault is waiting. Inject one under Controls.',
  },
};

export function isListName(name: string | undefined): name is ListName {
  return name !== undefined && Object.hasOwn(LISTS, name);
}
