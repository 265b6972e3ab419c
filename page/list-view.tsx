import type { ListName } from '../src/emulator/page/kinds.ts';
import type { EmulatorView } from '../src/emulator/page/view.ts';
import { Actions } from './actions.tsx';
import { BASE, send, textAt } from './api.ts';
import { timeLeft } from './format.ts';
import { LISTS } from './lists.ts';
import { Badge, Button, Card, Form, Select, Text } from './parts.tsx';

export interface Filter {
  search: string;
  status: string;
  /** How many of the newest records are shown. */
  newest: number;
}

/** How many records a page of a list has, and how many can be shown at most. */
export const PAGE = 100;
const MOST = 1000;

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

/** One list by itself, with a search and a filter. */
export function ListView({ kind, view, filter, onFilter }: ListProps) {
  const { title, statuses, empty } = LISTS[kind];
  const records = view.lists[kind] ?? [];
  const total = view.counts[kind];
  const filtered = filter.search !== '' || filter.status !== '';
  return (
    <Card id={kind} title={title} note={total.toLocaleString('en')} wide>
      <search class="filter">
        <label>
          Search
          <input
            type="search"
            value={filter.search}
            placeholder="id, amount, name, any text"
            onInput={(event) => onFilter({ ...filter, search: event.currentTarget.value })}
          />
        </label>
        {statuses === undefined ? null : (
          <Select
            name="status"
            label="Status"
            options={[['', 'any'], ...statuses]}
            value={filter.status}
            onChange={(status) => onFilter({ ...filter, status })}
          />
        )}
        {kind === 'events' || kind === 'deliveries' ? <Hold view={view} /> : null}
      </search>
      <Rows kind={kind} view={view} records={records} />
      {records.length > 0 ? null : <p class="empty">{filtered ? 'Nothing matches.' : empty}</p>}
      {records.length === filter.newest && total > records.length ? (
        <More {...{ filter, onFilter, total }} />
      ) : null}
    </Card>
  );
}

/** Leads beyond the records that are shown. */
function More({ filter, onFilter, total }: Pick<ListProps, 'filter' | 'onFilter'> & { total: number }) {
  const { newest } = filter;
  return (
    <p class="more">
      The newest {newest.toLocaleString('en')} of {total.toLocaleString('en')} are shown.{' '}
      {newest < MOST ? (
        <button type="button" onClick={() => onFilter({ ...filter, newest: newest + PAGE })}>
          Show {PAGE} more
        </button>
      ) : (
        <>
          Search for older ones, or see <a href={`${BASE}/_emulator/state`}>the whole state</a>.
        </>
      )}
    </p>
  );
}

interface ListProps {
  kind: ListName;
  view: EmulatorView;
  filter: Filter;
  onFilter: (filter: Filter) => void;
}

/** Holds events back, and lets them go in another order or several times, as networks do. */
function Hold({ view }: { view: EmulatorView }) {
  if (view.held === null) {
    const hold = async () => {
      await send('POST', '/events/hold');
      return 'Events are held back from now on';
    };
    return <Button command={hold}>Hold events</Button>;
  }
  return (
    <Form
      button={`Release ${view.held} held`}
      command={async (data) => {
        const options = { order: data.get('order'), copies: Number(data.get('copies')) };
        const result = await send('POST', '/events/release', options);
        return `Released ${textAt(result, 'delivered')} events`;
      }}
    >
      <Select name="order" label="Order" options={['as-emitted', 'reversed', 'shuffled']} />
      <Select name="copies" label="Copies" options={['1', '2', '3', '5', '10']} />
    </Form>
  );
}
