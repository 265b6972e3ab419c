import type { ComponentChildren } from 'preact';
import type { ListName } from '../src/emulator/page/kinds.ts';
import { userNameOf } from '../src/emulator/page/names.ts';
import { short } from './format.ts';
import { type Beside, KINDS, State, seenBy } from './kinds.tsx';
import { Amount, Card, Copyable, Linked, Text, When } from './parts.tsx';
import { paymentOf } from './payment.ts';
import { textAt as at, field, listAt } from './read.ts';
import { Party, Recipients } from './recipients.tsx';

type Line = readonly [label: string, value: ComponentChildren];

/** What one wants to know of a record first: who, whom, how much, its state and its times. */
export function Summary({
  kind,
  record,
  beside,
}: {
  kind: ListName;
  record: { id: string };
  beside: Beside;
}) {
  const { status, why, key } = KINDS[kind];
  const state = status(record);
  const madeUnder = key?.(record) ?? '';
  const times = ['createdAt', 'updatedAt'].map(
    (name) => at(record, name) || at(record, `transferDetails.${name}`),
  );
  const lines: Line[] = [
    ...(state === ''
      ? []
      : [['State', <State key="s" record={record} status={state} now={beside.now} />] as const]),
    ...line('Why', why?.(record), (text) => <Text>{text}</Text>),
    ...linesOf(kind, record, beside),
    ...line('Created', times[0], (time) => <When at={time} />),
    ...line('Updated', times[1], (time) => <When at={time} />),
    ...line('Key', madeUnder, (text) => <Copyable what="key" text={text} />),
    ['Id', <Copyable key="i" what="id" text={record.id} />],
  ];
  return (
    <Card id="summary" title="Summary">
      <dl class="summary">
        {lines.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

/** A line of a text, or none where the text is empty. */
function line(
  label: string,
  text: string | undefined,
  show: (text: string) => ComponentChildren = (given) => <Linked>{given}</Linked>,
): Line[] {
  return text === undefined || text === '' ? [] : [[label, show(text)]];
}

function linesOf(kind: ListName, record: unknown, beside: Beside): Line[] {
  const user = (label: string, path: string): Line[] =>
    line(label, at(record, path), (id) => <Party id={id} name={beside.names[id] ?? short(id)} />);
  switch (kind) {
    case 'transfers':
    case 'onramps':
      return paymentLines(record, beside);
    case 'approvals': {
      const payment = beside.payments[at(record, 'transferId')];
      return [
        ...(payment === undefined ? [] : paymentLines(payment, beside)),
        ...line('Transfer', at(record, 'transferId'), (id) => <Linked to={id}>{short(id)}</Linked>),
      ];
    }
    case 'users':
      return [
        ...line('Name', userNameOf(Object(field(record, 'kycInfo'))), (text) => <Text>{text}</Text>),
        ...line('E-mail', at(record, 'kycInfo.email')),
        ...line('Phone', at(record, 'kycInfo.phone')),
        ['Rails', listAt(record, 'rails').map(String).join(', ') || 'none'],
      ];
    case 'accounts':
      return [
        ...user('User', 'userId'),
        ...line('Holder', at(record, 'accountHolder.name')),
        ...line('Bank', beside.names[at(record, 'id')]),
        ...line('Used for', at(record, 'rail'), (rail) => `${rail}s`),
        ...line('Message', at(record, 'message')),
      ];
    case 'balances':
      return [
        ...user('User', 'userId'),
        ['Amount', <Amount key="a" amount={at(record, 'amount')} currency={at(record, 'currency')} />],
        ...line('Chain', at(record, 'chain')),
      ];
    case 'events':
      return [
        ...line('Event', at(record, 'eventType')),
        ...line('Transfer', at(record, 'data.transferId'), (id) => <Linked to={id}>{short(id)}</Linked>),
        ...line('Account', at(record, 'data.accountId'), (id) => (
          <Linked to={id}>{beside.names[id] ?? short(id)}</Linked>
        )),
        ...user('User', 'data.userId'),
      ];
    case 'deliveries':
      return [
        ...line('Event', at(record, 'eventId'), (id) => <Linked to={id}>{at(record, 'eventType')}</Linked>),
        ...line('To', at(record, 'url')),
        ['Attempts', String(listAt(record, 'attempts').length)],
        ...line('Next', at(record, 'nextAttemptAt'), (time) => <When at={time} />),
      ];
    case 'requests':
      return [
        ...line('Operation', at(record, 'operation')),
        ...line('Time', at(record, 'at'), (time) => <When at={time} />),
        ...line('Amount', at(record, 'amount'), (text) => {
          const [amount = '', currency = ''] = text.split(' ');
          return <Amount amount={amount} currency={currency} />;
        }),
        ...line('Took', at(record, 'duration'), (text) => `${Number(text).toFixed(1)} ms`),
        ...line('Answered', seenBy(record) === at(record, 'status') ? '' : at(record, 'status')),
      ];
    case 'faults':
      return [
        ...line('Kind', at(record, 'kind')),
        ['Operation', at(record, 'operation') === '*' ? 'every operation' : at(record, 'operation')],
        ...line('Calls left', at(record, 'times')),
      ];
  }
}

function paymentLines(record: unknown, beside: Beside): Line[] {
  const payment = paymentOf(record, beside.names);
  const { payer, payees, sends, receives, via } = payment;
  const [payee] = payees;
  const fee = field(record, 'transferDetails');
  return [
    ['From', <Party key="f" {...payer} />],
    payees.length > 1 || payee === undefined
      ? ['To', <Recipients key="t" payment={payment} />]
      : ['To', <Party key="t" {...payee} />],
    [receives === undefined ? 'Amount' : 'Sends', <Amount key="a" {...sends} />],
    ...(receives === undefined ? [] : [['Receives', <Amount key="r" {...receives} />] as const]),
    ...line('Rail fee', at(fee, 'quoteInformation.railFee.amount'), (amount) => (
      <Amount amount={amount} currency={at(fee, 'quoteInformation.railFee.currency')} />
    )),
    ...line('Developer fee', at(fee, 'developerFee.feeAmount'), (amount) => (
      <Amount amount={amount} currency={sends.currency} />
    )),
    ...line('Rate', at(fee, 'quoteInformation.rate')),
    ...line('Via', via),
  ];
}
