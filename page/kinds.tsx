import type { ComponentChildren } from 'preact';
import type { Around } from '../src/emulator/page/around.ts';
import type { ListName } from '../src/emulator/page/kinds.ts';
import { userNameOf } from '../src/emulator/page/names.ts';
import { USUAL_LATENCY } from '../src/emulator/state/faults.ts';
import { counted, money, responseSeen, short, shortened, timeLeft } from './format.ts';
import { Amount, Badge, Text, When } from './parts.tsx';
import { type Names, type Payment, paymentOf, titleOf, whoOf } from './payment.ts';
import { textAt as at, field, listAt } from './read.ts';

/** What a table shows beside the records themselves. */
export type Beside = Around & { now: string };

/** A column of a table. On a narrow screen a row has two lines: what it is with its amount, and the rest. */
export interface Column {
  title: string;
  as: 'time' | 'main' | 'amount' | 'state' | 'detail' | 'detail via';
  show: (record: unknown, beside: Beside) => ComponentChildren;
}

export interface Kind {
  title: string;
  /** One of them. */
  one: string;
  /** What a record is, in a line. */
  name: (record: unknown, beside: Around) => string;
  status: (record: unknown) => string;
  /** More about its status: an error, a comment. */
  why?: (record: unknown) => string;
  columns: readonly Column[];
  /** What to do while there is none. */
  empty: string;
  statuses?: readonly string[];
  /** True if it has a payer or a payee to filter by. */
  byUser?: true;
  /** The key that made a record, if one did. */
  key?: (record: unknown) => string;
}

const created: Column = {
  title: 'Time',
  as: 'time',
  show: (record) => <When at={at(record, 'createdAt')} />,
};
const noStatus = (): string => '';

/** The payment that an approval or an event is about. */
const about = (record: unknown, { payments }: Around): unknown =>
  payments[at(record, 'transferId') || at(record, 'data.transferId') || at(record, 'data.id')];

const detail = (title: string, path: string): Column => ({
  title,
  as: 'detail',
  show: (record) => <Text>{at(record, path)}</Text>,
});

/** A status, with the time that is left in it. */
export function State({ record, status, now }: { record: unknown; status: string; now: string }) {
  const left = timeLeft(record, now);
  return (
    <>
      <Badge status={status} /> {left === '' ? null : <span class="left">{left}</span>}
    </>
  );
}

function stateOf(status: (record: unknown) => string, title = 'State'): Column {
  return {
    title,
    as: 'state',
    show: (record, { now }) => <State record={record} status={status(record)} now={now} />,
  };
}

/** The columns of payments, and of what is about a payment. */
function paymentColumns(paymentIn: (record: unknown, beside: Around) => unknown) {
  const read = (record: unknown, beside: Beside): Payment =>
    paymentOf(paymentIn(record, beside), beside.names);
  return {
    who: {
      title: 'Payer → payee',
      as: 'main',
      show: (record, beside) => <Text>{whoOf(read(record, beside))}</Text>,
    },
    sends: {
      title: 'Amount',
      as: 'amount',
      show: (record, beside) => <Amount {...read(record, beside).sends} />,
    },
    receives: {
      title: 'Receives',
      as: 'amount',
      show: (record, beside) => {
        const { receives } = read(record, beside);
        return receives === undefined ? null : <Amount {...receives} />;
      },
    },
    via: {
      title: 'Chain',
      as: 'detail via',
      show: (record, beside) => <Text>{read(record, beside).via}</Text>,
    },
  } satisfies Record<string, Column>;
}

const ofTransfer = paymentColumns((transfer) => transfer);
const ofApproval = paymentColumns(about);

const paymentTime: Column = {
  title: 'Time',
  as: 'time',
  show: (payment) => <When at={at(payment, 'transferDetails.createdAt')} />,
};
const paymentName = (payment: unknown, { names }: { names: Names }): string =>
  titleOf(paymentOf(payment, names));
const paymentStatus = (payment: unknown): string => at(payment, 'transferDetails.status');
const paymentWhy = (payment: unknown): string => at(payment, 'transferDetails.errorDetails');
const paymentKey = (payment: unknown): string => at(payment, 'requestId');
const ownStatus = (record: unknown): string => at(record, 'status');

const nameOf = (id: string, { names }: Around): string => names[id] ?? `User ${short(id)}`;

/** The delay that a fault causes. */
function lateBy(fault: unknown): number {
  const latency = field(fault, 'latency');
  const usual = at(fault, 'kind') === 'latency' ? USUAL_LATENCY : 0;
  return typeof latency === 'number' ? latency : usual;
}

const bankOf = (account: unknown): unknown =>
  field(account, 'us') ?? field(account, 'africa') ?? field(account, 'details') ?? {};

export const seenBy = (request: unknown): string => responseSeen(at(request, 'status'), at(request, 'fault'));

export const KINDS: Record<ListName, Kind> = {
  approvals: {
    title: 'Approvals',
    one: 'Approval',
    statuses: ['PENDING', 'APPROVED', 'REJECTED', 'EXPIRED'],
    byUser: true,
    name: (approval, beside) => paymentName(about(approval, beside), beside),
    status: ownStatus,
    why: (approval) => {
      const comment = at(listAt(approval, 'votes').at(-1), 'comment');
      return comment === '' ? '' : `“${comment}”`;
    },
    columns: [created, ofApproval.who, ofApproval.sends, ofApproval.via, stateOf(ownStatus)],
    empty: 'A transfer with requireApproval waits here for a decision.',
  },
  transfers: {
    title: 'Transfers',
    one: 'Transfer',
    statuses: [
      ...['PENDING_APPROVAL', 'OPEN_QUOTE', 'CREATED', 'INITIATED', 'PENDING'],
      ...['COMPLETED', 'REJECTED', 'CANCELLED'],
    ],
    byUser: true,
    name: paymentName,
    status: paymentStatus,
    why: paymentWhy,
    key: paymentKey,
    columns: [paymentTime, ofTransfer.who, ofTransfer.sends, ofTransfer.via, stateOf(paymentStatus)],
    empty: 'No transfer yet. Wallet transfers, batches, bridges and offramps appear here.',
  },
  onramps: {
    title: 'Onramps',
    one: 'Onramp',
    statuses: [
      ...['OPEN_QUOTE', 'AWAITING_FUNDS', 'FIAT_PENDING', 'COMPLETED'],
      ...['FIAT_FAILED', 'FIAT_RETURNED', 'EXPIRED'],
    ],
    byUser: true,
    name: paymentName,
    status: paymentStatus,
    why: paymentWhy,
    key: paymentKey,
    columns: [
      paymentTime,
      ofTransfer.who,
      { ...ofTransfer.sends, title: 'Sends' },
      ofTransfer.receives,
      { ...ofTransfer.via, title: 'Rail → chain' },
      stateOf(paymentStatus),
    ],
    empty: 'No onramp yet. One in USD without an account shows deposit instructions and a Deposit button.',
  },
  accounts: {
    title: 'Accounts',
    one: 'Account',
    statuses: ['PENDING', 'ACTIVE', 'REJECTED'],
    byUser: true,
    name: (account, { names }) =>
      [names[at(account, 'id')] ?? at(account, 'type'), at(account, 'accountHolder.name')]
        .filter((part) => part !== '')
        .join(', '),
    status: ownStatus,
    why: (account) => {
      const invalid = listAt(account, 'invalidFields').map(String).join(', ');
      return invalid === '' ? '' : `invalid: ${invalid}`;
    },
    columns: [
      created,
      {
        title: 'Bank',
        as: 'main',
        show: (account, { names }) => <Text>{names[at(account, 'id')] ?? at(account, 'type')}</Text>,
      },
      {
        title: 'User',
        as: 'detail',
        show: (account, beside) => <Text>{nameOf(at(account, 'userId'), beside)}</Text>,
      },
      {
        title: 'Number',
        as: 'detail',
        show: (account) => <Text>{at(bankOf(account), 'accountNumber')}</Text>,
      },
      detail('Used for', 'rail'),
      stateOf(ownStatus),
    ],
    empty: 'No account yet. A new account is validated after a few seconds, or by hand here.',
  },
  users: {
    title: 'Users',
    one: 'User',
    name: (user, beside) => userName(user) || nameOf(at(user, 'id'), beside),
    status: noStatus,
    columns: [
      created,
      {
        title: 'Name',
        as: 'main',
        show: (user) => <Text>{userName(user) || `User ${short(at(user, 'id'))}`}</Text>,
      },
      detail('E-mail', 'kycInfo.email'),
      {
        title: 'Rails',
        as: 'detail',
        show: (user) => listAt(user, 'rails').map(String).join(', ') || 'none',
      },
      { title: 'Id', as: 'detail', show: (user) => <code>{short(at(user, 'id'))}</code> },
    ],
    empty: 'No user yet. Create one here, or with POST /_emulator/users.',
  },
  balances: {
    title: 'Balances',
    one: 'Balance',
    name: (balance, beside) =>
      `${money(at(balance, 'amount'), at(balance, 'currency'))}, ${nameOf(at(balance, 'userId'), beside)}`,
    status: noStatus,
    columns: [
      {
        title: 'User',
        as: 'main',
        show: (balance, beside) => <Text>{nameOf(at(balance, 'userId'), beside)}</Text>,
      },
      {
        title: 'Amount',
        as: 'amount',
        show: (balance) => <Amount amount={at(balance, 'amount')} currency={at(balance, 'currency')} />,
      },
      detail('Chain', 'chain'),
    ],
    empty: 'Every balance is unlimited until you set one.',
  },
  events: {
    title: 'Events',
    one: 'Event',
    name: (event) => at(event, 'eventType'),
    status: noStatus,
    columns: [
      created,
      { title: 'Event', as: 'main', show: (event) => <Text>{at(event, 'eventType')}</Text> },
      {
        title: 'About',
        as: 'detail',
        show: (event, beside) => {
          const payment = about(event, beside);
          const account = at(event, 'data.accountId');
          return (
            <Text>
              {payment !== undefined
                ? paymentName(payment, beside)
                : (beside.names[account] ?? nameOf(at(event, 'data.userId'), beside))}
            </Text>
          );
        },
      },
    ],
    empty: 'An event appears when an onramp account changes, and when an approval is opened or decided.',
  },
  deliveries: {
    title: 'Deliveries',
    one: 'Delivery',
    statuses: ['pending', 'retrying', 'delivered', 'given-up'],
    name: (delivery) => at(delivery, 'eventType'),
    status: ownStatus,
    columns: [
      created,
      { title: 'Event', as: 'main', show: (delivery) => <Text>{at(delivery, 'eventType')}</Text> },
      {
        title: 'Attempts',
        as: 'detail',
        show: (delivery) => {
          const attempts = listAt(delivery, 'attempts');
          const last = attempts.at(-1);
          const response = at(last, 'status') || at(last, 'error');
          return [counted(attempts.length, 'attempt'), ...(response === '' ? [] : [`last ${response}`])].join(
            ', ',
          );
        },
      },
      stateOf(ownStatus),
    ],
    empty: 'Events that are sent to a webhook appear here. Start the emulator with --webhook-url.',
  },
  requests: {
    title: 'Requests',
    one: 'Request',
    statuses: ['2xx', '4xx', '5xx', 'no response'],
    name: (request) => `${at(request, 'method')} ${shortened(at(request, 'path'))}`,
    status: seenBy,
    why: (request) =>
      [at(request, 'fault') === '' ? '' : `fault: ${at(request, 'fault')}`, at(request, 'error')]
        .filter(Boolean)
        .join(', '),
    key: (request) => at(request, 'requestId'),
    columns: [
      { ...created, show: (request) => <When at={at(request, 'at')} /> },
      {
        title: 'Request',
        as: 'main',
        show: (request) => <Text>{`${at(request, 'method')} ${shortened(at(request, 'path'))}`}</Text>,
      },
      {
        title: 'Amount',
        as: 'amount',
        show: (request) => {
          const [amount = '', currency = ''] = at(request, 'amount').split(' ');
          return amount === '' ? null : <Amount amount={amount} currency={currency} />;
        },
      },
      {
        title: 'Took',
        as: 'detail',
        show: (request) => `${Number(at(request, 'duration')).toFixed(1)} ms`,
      },
      stateOf(seenBy, 'Client saw'),
    ],
    empty: 'Requests appear as they arrive. Requests of this page itself are left out.',
  },
  faults: {
    title: 'Faults',
    one: 'Fault',
    name: (fault) =>
      `${at(fault, 'kind')} on ${at(fault, 'operation') === '*' ? 'every operation' : at(fault, 'operation')}`,
    status: noStatus,
    columns: [
      { title: 'Fault', as: 'main', show: (fault) => <Text>{at(fault, 'kind')}</Text> },
      {
        title: 'Operation',
        as: 'detail',
        show: (fault) =>
          at(fault, 'operation') === '*' ? 'every operation' : <Text>{at(fault, 'operation')}</Text>,
      },
      {
        title: 'Applies to',
        as: 'detail',
        show: (fault) =>
          at(fault, 'times') === '1'
            ? 'the next call'
            : `the next ${counted(Number(at(fault, 'times')), 'call')}`,
      },
      {
        title: 'Details',
        as: 'detail',
        show: (fault) =>
          [
            at(fault, 'status') === '' ? '' : `status ${at(fault, 'status')}`,
            lateBy(fault) > 0 ? `${lateBy(fault)} ms late` : '',
            at(fault, 'retryAfter') === '' ? '' : `Retry-After ${at(fault, 'retryAfter')}`,
            at(fault, 'field') === '' ? '' : `field ${at(fault, 'field')}`,
            field(fault, 'commit') === true ? 'after it was carried out' : '',
          ]
            .filter(Boolean)
            .join(', '),
      },
    ],
    empty: 'No fault is waiting. Inject one above.',
  },
};

const userName = (user: unknown): string => userNameOf(Object(field(user, 'kycInfo')));

export function isListName(name: string | undefined): name is ListName {
  return name !== undefined && Object.hasOwn(KINDS, name);
}
