import type { ListName } from '../src/emulator/page/kinds.ts';
import type { EmulatorView } from '../src/emulator/page/view.ts';
import { BASE } from './api.ts';
import { UserForm } from './create.tsx';
import { Rows } from './list-view.tsx';
import { LISTS } from './lists.ts';
import { Card, Source } from './parts.tsx';

const SHOWN: readonly ListName[] = [
  ...(['approvals', 'requests', 'transfers', 'deliveries', 'onramps', 'events'] as const),
  ...(['accounts', 'users', 'balances', 'faults'] as const),
];

/** The newest few of everything; empty lists come last, in one card. */
export function Overview({ view }: { view: EmulatorView }) {
  const filled = SHOWN.filter((kind) => (view.lists[kind]?.length ?? 0) > 0);
  return (
    <div class="overview">
      {view.counts.users === 0 ? <Start /> : null}
      {filled.map((kind) => {
        const records = view.lists[kind] ?? [];
        const total = view.counts[kind];
        const pending = kind === 'approvals' ? `, ${view.counts.pendingApprovals} pending` : '';
        return (
          <Card
            key={kind}
            id={kind}
            title={LISTS[kind].title}
            note={`${total.toLocaleString('en')}${pending}`}
          >
            <Rows kind={kind} view={view} records={records} actions={kind === 'approvals'} />
            {total > records.length ? (
              <p class="more">
                <a href={`#/${kind}`}>Show all {LISTS[kind].title.toLowerCase()}</a>
              </p>
            ) : null}
          </Card>
        );
      })}
    </div>
  );
}

function Start() {
  const curl = `curl -X POST ${location.origin}${BASE}/_emulator/users \\\n  -H 'Content-Type: application/json' \\\n  -d '{"rails":["usd","africa"]}'`;
  return (
    <Card id="start" title="Start here" wide>
      <div class="inside create">
        <p>Every payment belongs to a user. Create one here:</p>
        <UserForm />
        <p>Or from a terminal:</p>
        <Source text={curl} />
      </div>
    </Card>
  );
}
