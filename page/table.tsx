import type { ListName } from '../src/emulator/page/kinds.ts';
import { Actions } from './actions.tsx';
import { type Beside, type Column, KINDS } from './kinds.tsx';
import { Text } from './parts.tsx';
import { paymentOf } from './payment.ts';
import { WhatPayment } from './recipients.tsx';

interface TableProps {
  kind: ListName;
  records: readonly { id: string }[];
  beside: Beside;
  actions?: boolean;
  /** True to show the key that made each record. */
  keys?: boolean;
  order?: Order | undefined;
}

/** The order of a list, and a function to turn it round. */
export interface Order {
  oldest: boolean;
  turn: () => void;
}

/** The records of a list in a table, each with what can be done with it. */
export function Table({ kind, records, beside, actions = true, keys = false, order }: TableProps) {
  const { columns, title } = KINDS[kind];
  const hasActions = actions && ['approvals', 'onramps', 'accounts', 'deliveries', 'faults'].includes(kind);
  return (
    <table class={`records ${kind}`} aria-label={title}>
      <thead>
        <tr>
          {columns.map((column) => (
            <Heading key={column.title} column={column} order={order} />
          ))}
          {hasActions ? <td class="act" /> : null}
        </tr>
      </thead>
      <tbody>
        {records.map((record) => (
          <tr key={record.id}>
            {columns.map((column) => (
              <td key={column.title} class={column.as}>
                {column.as === 'main' ? (
                  <Main kind={kind} record={record} beside={beside} column={column} keys={keys} />
                ) : (
                  column.show(record, beside)
                )}
              </td>
            ))}
            {hasActions ? (
              <td class="act">
                <Actions kind={kind} record={record} />
              </td>
            ) : null}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Heading({ column: { title, as }, order }: { column: Column; order: Order | undefined }) {
  if (as !== 'time' || order === undefined)
    return (
      <th class={as} scope="col">
        {title}
      </th>
    );
  return (
    <th class={as} scope="col" aria-sort={order.oldest ? 'ascending' : 'descending'}>
      <button type="button" class="sort" onClick={order.turn}>
        {title} <span aria-hidden="true">{order.oldest ? '↑' : '↓'}</span>
        <span class="hidden">{order.oldest ? ', oldest first' : ', newest first'}</span>
      </button>
    </th>
  );
}

interface MainProps {
  kind: ListName;
  record: { id: string };
  beside: Beside;
  column: Column;
  keys: boolean;
}

/** What a record is: it leads to the record. */
function Main({ kind, record, beside, column, keys }: MainProps) {
  const key = keys ? (KINDS[kind].key?.(record) ?? '') : '';
  const why = KINDS[kind].why?.(record) ?? '';
  return (
    <>
      <a href={`#/${kind}/${encodeURIComponent(record.id)}`}>{column.show(record, beside)}</a>
      {kind === 'transfers' ? <WhatPayment payment={paymentOf(record, beside.names)} /> : null}
      {why === '' ? null : (
        <span class="why">
          <Text>{why}</Text>
        </span>
      )}
      {key === '' ? null : (
        <code class="key">
          <Text>{key}</Text>
        </code>
      )}
    </>
  );
}
