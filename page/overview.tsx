import type { ListName } from '../src/emulator/page/kinds.ts';
import type { EmulatorView } from '../src/emulator/page/view.ts';
import { BASE } from './api.ts';
import { UserForm } from './create.tsx';
import { KINDS } from './kinds.tsx';
import { Card, Source } from './parts.tsx';
import { Table } from './table.tsx';

/** The money on one side, its traffic on the other. */
const SIDES: readonly (readonly ListName[])[] = [
  ['approvals', 'transfers', 'onramps', 'balances', 'users'],
  ['faults', 'requests', 'deliveries', 'events', 'accounts'],
];

/** The newest few of everything that there is. */
export function Overview({ view }: { view: EmulatorView }) {
  return (
    <>
      {view.counts.users === 0 ? <Start /> : null}
      <div class="overview">
        {SIDES.map((kinds) => (
          <div key={kinds.join()}>
            {kinds
              .filter((kind) => (view.lists[kind]?.length ?? 0) > 0)
              .map((kind) => (
                <Newest key={kind} kind={kind} view={view} />
              ))}
          </div>
        ))}
      </div>
    </>
  );
}

function Newest({ kind, view }: { kind: ListName; view: EmulatorView }) {
  const records = view.lists[kind] ?? [];
  const total = view.counts[kind];
  const { title } = KINDS[kind];
  const pending = kind === 'approvals' ? `, ${view.counts.pendingApprovals} pending` : '';
  return (
    <Card id={kind} title={title} note={`${total.toLocaleString('en')}${pending}`}>
      <Table kind={kind} records={records} beside={view} actions={kind === 'approvals'} />
      {total > records.length ? (
        <p class="more">
          <a href={`#/${kind}`}>Show all {title.toLowerCase()}</a>
        </p>
      ) : null}
    </Card>
  );
}

function Start() {
  const curl = `curl -X POST ${location.origin}${BASE}/_emulator/users \\\n  -H 'Content-Type: application/json' \\\n  -d '{"rails":["usd","africa"]}'`;
  return (
    <Card id="start" title="Start here">
      <div class="inside">
        <p>Every payment belongs to a user. Create one here:</p>
        <UserForm />
        <p>Or from a terminal:</p>
        <Source text={curl} />
      </div>
    </Card>
  );
}
