import type { ListName } from '../src/emulator/page/kinds.ts';
import type { EmulatorView } from '../src/emulator/page/view.ts';
import { Actions } from './actions.tsx';
import { BASE } from './api.ts';
import { Create, isCreated } from './create.tsx';
import { timeLeft } from './format.ts';
import { LISTS } from './lists.ts';
import { Badge, Card, Select, Text } from './parts.tsx';
import { ControlCalls } from './timeline.tsx';

/** The records of a list, each with its line and what can be done with it. */
export function Rows({ kind, view, records, actions = true }: RowsProps) {
  return (
    <ul class="rows">
      {records.map((record) => (
        <li key={record.id}>
          <Row kind={kind} record={record} view={view} />
          {actions ? <Actions kind={kind} record={record} /> : null}
        </li>
      ))}
    </ul>
  );
}

interface RowsProps {
  kind: ListName;
  view: Pick<EmulatorView, 'amounts' | 'now'>;
  records: readonly { id: string }[];
  actions?: boolean;
}

function Row({ kind, record, view }: { kind: ListName; record: { id: string }; view: RowsProps['view'] }) {
  const line = LISTS[kind].line(record, view);
  const left = timeLeft(record, view.now);
  return (
    <div class="line">
      <a href={`#/${kind}/${encodeURIComponent(record.id)}`}>
        <Text>{line.title}</Text>
      </a>
      <Badge status={line.status} />
      <p class="facts">
        {line.facts.map((fact, place) => (
          <span key={place}>
            <Text>{fact}</Text>
          </span>
        ))}
        {left === '' ? null : <span class="left">{left}</span>}
      </p>
    </div>
  );
}

/** One list by itself, with a filter. */
export function ListView({ kind, view, filter, onFilter }: ListProps) {
  const { status, control } = filter;
  const { title, statuses, empty } = LISTS[kind];
  const records = view.lists[kind] ?? [];
  const total = view.counts[kind];
  return (
    <Card id={kind} title={title} note={total.toLocaleString('en')} wide>
      {statuses === undefined ? null : (
        <search class="filter">
          <Select
            name="status"
            label="Status"
            options={[['', 'any'], ...statuses]}
            value={status}
            onChange={(chosen) => onFilter({ status: chosen, control })}
          />
          {kind !== 'requests' || view.counts.controlCalls === 0 ? null : (
            <ControlCalls
              count={view.counts.controlCalls}
              shown={control}
              onChange={(shown) => onFilter({ status, control: shown })}
            />
          )}
        </search>
      )}
      {isCreated(kind) ? (
        <div class="inside">
          <Create kind={kind} users={view.users} />
        </div>
      ) : null}
      <Rows kind={kind} view={view} records={records} />
      {records.length > 0 ? null : <p class="empty">{status === '' ? empty : 'Nothing matches.'}</p>}
      {status === '' && total > records.length ? (
        <p class="more">
          The newest {records.length} of {total.toLocaleString('en')} are shown. For older ones, see{' '}
          <a href={`${BASE}/_emulator/state`}>the whole state</a>.
        </p>
      ) : null}
    </Card>
  );
}

interface ListProps {
  kind: ListName;
  view: EmulatorView;
  filter: Filter;
  onFilter: (filter: Filter) => void;
}

/** Which records of a list are shown. */
export interface Filter {
  /** The status that every shown record has; the empty text for any. */
  status: string;
  /** True to show requests to the emulator's own routes. */
  control: boolean;
}
