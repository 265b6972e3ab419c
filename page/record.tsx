import type { ListName } from '../src/emulator/page/kinds.ts';
import type { RecordView } from '../src/emulator/page/record-view.ts';
import type { EmulatorView } from '../src/emulator/page/view.ts';
import { Actions, DepositForm, SetStatus } from './actions.tsx';
import { Attempts } from './attempts.tsx';
import { Create } from './create.tsx';
import { LoseNext } from './faults.tsx';
import { type Group, groupsOf } from './fields.ts';
import { counted, plain } from './format.ts';
import { KINDS } from './kinds.tsx';
import { Badge, Dotted, Json, Linked, LinksContext, Text } from './parts.tsx';
import { Messages, RequestActions } from './request.tsx';
import { Summary } from './summary.tsx';
import { Timeline } from './timeline.tsx';

/** One record: what it is, what happened to it, its fields, and what can be done with it. */
export function RecordPage({ view, users }: { view: RecordView; users: EmulatorView['users'] }) {
  const { kind, record, timeline, links } = view;
  const { title, one, name, status } = KINDS[kind];
  return (
    <LinksContext.Provider value={links}>
      <div class="record">
        <div class="title">
          <p>
            <a href={`#/${kind}`}>{title}</a>
          </p>
          <h2 id="record-heading" tabIndex={-1}>
            <span class="one">{one}</span> <Text>{name(record, view)}</Text> <Badge status={status(record)} />
          </h2>
          <div class="act">
            <Actions kind={kind} record={record} />
            {kind === 'requests' ? <RequestActions request={record} /> : null}
            <LoseNext kind={kind} record={record} />
            {kind === 'onramps' ? (
              <>
                <DepositForm id={record.id} record={record} />
                <SetStatus id={record.id} record={record} />
              </>
            ) : null}
            {kind === 'users'
              ? (['transfers', 'onramps', 'accounts'] as const).map((created) => (
                  <Create key={created} kind={created} users={users} owner={record.id} />
                ))
              : null}
          </div>
        </div>
        <div class="first">
          <Summary kind={kind} record={record} beside={view} />
          <Timeline timeline={timeline} id={record.id} />
        </div>
        {kind === 'requests' ? <Messages request={record} /> : null}
        {kind === 'deliveries' ? <Attempts delivery={record} /> : null}
        {kind === 'requests' ? null : (
          <div class="groups">
            {groupsOf(record, LEFT_OUT[kind]).map((group) => (
              <Fields key={group.title} group={group} />
            ))}
          </div>
        )}
        <details class="card json">
          <summary>
            <h2>JSON</h2>
          </summary>
          <Json value={record} />
        </details>
      </div>
    </LinksContext.Provider>
  );
}

/** What has a card of its own. */
const LEFT_OUT: Partial<Record<ListName, readonly string[]>> = { deliveries: ['attempts'] };

/** A part of a record, which folds, with what is empty folded in it. */
function Fields({ group: { title, fields, empty } }: { group: Group }) {
  return (
    <details class="card group" open>
      <summary>
        <h2>{title}</h2>
      </summary>
      <dl class="fields">
        {fields.map(([path, value]) => (
          <div key={path}>
            <dt>
              <Dotted>{path}</Dotted>
            </dt>
            <dd>
              <Linked>{typeof value === 'number' ? plain(value) : String(value)}</Linked>
            </dd>
          </div>
        ))}
      </dl>
      {empty.length === 0 ? null : (
        <details class="empties">
          <summary>{counted(empty.length, 'empty field')}</summary>
          <p>
            {empty.map((path, place) => (
              <>
                {place === 0 ? '' : ', '}
                <Dotted key={path}>{path}</Dotted>
              </>
            ))}
          </p>
        </details>
      )}
    </details>
  );
}
