import { counted, short } from './format.ts';
import { Amount, Linked } from './parts.tsx';
import { kindOf, type Payment } from './payment.ts';

/** The recipients of a batch, folded until they are asked for; of a bridge or an offramp that it is one. */
export function WhatPayment({ payment }: { payment: Payment }) {
  const { kind, payees } = payment;
  if (kind === 'WALLET.BRIDGE' || kind === 'OFFRAMP') return <span class="kind">{kindOf(payment)}</span>;
  if (kind !== 'WALLET.TRANSFER.BATCH') return null;
  return (
    <details class="recipients">
      <summary>Batch, {counted(payees.length, 'recipient')}</summary>
      <Recipients payment={payment} />
    </details>
  );
}

export function Recipients({ payment: { payees, sends } }: { payment: Payment }) {
  return (
    <ul>
      {payees.map(({ id, name, amount }, place) => (
        <li key={place}>
          <Party id={id} name={name} />
          <Amount amount={amount} currency={sends.currency} />
        </li>
      ))}
    </ul>
  );
}

/** One who pays or receives, with a link where a record is at hand. */
export function Party({ id, name }: { id: string; name: string }) {
  return name === '' || name === short(id) ? <Linked>{id}</Linked> : <Linked to={id}>{name}</Linked>;
}
