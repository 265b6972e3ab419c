import { useState } from 'preact/hooks';
import type { ListName } from '../src/emulator/page/kinds.ts';
import type { EmulatorView } from '../src/emulator/page/view.ts';
import { BASE } from './api.ts';
import { BalanceForm } from './balances.tsx';
import { Create, isCreated } from './create.tsx';
import { FaultForm } from './faults.tsx';
import { KINDS } from './kinds.tsx';
import { Card, Check, Select, userOptions } from './parts.tsx';
import { Table } from './table.tsx';

/** Which records of a list are shown, and in which order. */
export interface Filter {
  /** The status that every shown record has; the empty text for any. */
  status: string;
  /** The id of the user that every shown record names; the empty text for any. */
  user: string;
  oldest: boolean;
  /** True to show requests to the emulator's own routes. */
  control: boolean;
}

interface ListProps {
  kind: ListName;
  view: EmulatorView;
  filter: Filter;
  onFilter: (filter: Filter) => void;
}

/** One list by itself, with a filter and what creates a record. */
export function ListView({ kind, view, filter, onFilter }: ListProps) {
  const [keys, setKeys] = useState(false);
  const { title, empty, columns, key } = KINDS[kind];
  const records = view.lists[kind] ?? [];
  const total = view.counts[kind];
  const isFiltered = filter.status !== '' || filter.user !== '';
  const order = columns.some(({ as }) => as === 'time')
    ? { oldest: filter.oldest, turn: () => onFilter({ ...filter, oldest: !filter.oldest }) }
    : undefined;
  return (
    <Card id={kind} title={title} note={total.toLocaleString('en')}>
      <div class="bar">
        <Filters kind={kind} view={view} filter={filter} onFilter={onFilter} />
        {key === undefined || records.length === 0 ? null : (
          <Check name="keys" label="Show keys" checked={keys} onChange={setKeys} />
        )}
        {isCreated(kind) ? <Create kind={kind} users={view.users} /> : null}
      </div>
      {kind === 'balances' ? <BalanceForm users={view.users} /> : null}
      {kind === 'faults' ? <FaultForm operations={view.operations} waiting={total} /> : null}
      {records.length > 0 ? (
        <Table kind={kind} records={records} beside={view} keys={keys} order={order} />
      ) : (
        <p class="empty">{isFiltered ? 'Nothing matches.' : empty}</p>
      )}
      {!isFiltered && total > records.length ? (
        <p class="more">
          The {filter.oldest ? 'oldest' : 'newest'} {records.length} of {total.toLocaleString('en')} are
          shown. For all of them, see <a href={`${BASE}/_emulator/state`}>the whole state</a>.
        </p>
      ) : null}
    </Card>
  );
}

function Filters({ kind, view, filter, onFilter }: ListProps) {
  const { statuses, byUser } = KINDS[kind];
  const { controlCalls } = view.counts;
  const hasControl = kind === 'requests' && controlCalls > 0;
  if (statuses === undefined && byUser === undefined && !hasControl) return null;
  return (
    <search class="filter">
      {statuses === undefined ? null : (
        <Select
          name="status"
          label="State"
          options={[['', 'any'], ...statuses]}
          value={filter.status}
          onChange={(status) => onFilter({ ...filter, status })}
        />
      )}
      {byUser === undefined || view.users.length === 0 ? null : (
        <Select
          name="user"
          label="User"
          options={[['', 'any'], ...userOptions(view.users)]}
          value={filter.user}
          onChange={(user) => onFilter({ ...filter, user })}
        />
      )}
      {hasControl ? (
        <ControlCalls
          count={controlCalls}
          shown={filter.control}
          onChange={(control) => onFilter({ ...filter, control })}
        />
      ) : null}
    </search>
  );
}

interface ControlCallsProps {
  count: number;
  shown: boolean;
  onChange: (shown: boolean) => void;
}

/** Shows requests to the emulator's own routes, which tests and scripts send. */
export function ControlCalls({ count, shown, onChange }: ControlCallsProps) {
  const label = `Show ${count} control ${count === 1 ? 'call' : 'calls'}`;
  return <Check name="control" label={label} checked={shown} onChange={onChange} />;
}
