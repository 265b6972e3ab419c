import type { ListName } from '../src/emulator/page/kinds.ts';
import type { RecordView } from '../src/emulator/page/record-view.ts';
import type { EmulatorView } from '../src/emulator/page/view.ts';
import { Actions } from './actions.tsx';
import { field, headersOf, textAt } from './api.ts';
import { Create } from './create.tsx';
import { plain, short, timeLeft, when } from './format.ts';
import { LISTS } from './lists.ts';
import { Badge, Card, Json, Linked, LinksContext, Text } from './parts.tsx';
import { HeaderRows, RequestActions, RequestParts } from './request.tsx';
import { Timeline } from './timeline.tsx';

/** One record: what happened to it, its fields, and what can be done with it. */
export function RecordPage({ view, users }: { view: RecordView; users: EmulatorView['users'] }) {
  const { kind, record, now, timeline, links } = view;
  const line = LISTS[kind].line(record, { amounts: {} });
  const left = timeLeft(record, now);
  return (
    <LinksContext.Provider value={links}>
      <div class="record">
        <div class="title">
          <p>
            <a href={`#/${kind}`}>{LISTS[kind].title}</a>
          </p>
          <h2 id="record-heading" tabIndex={-1}>
            {LISTS[kind].one} <Text>{line.title}</Text>
          </h2>
          <p class="facts">
            <Badge status={line.status} />
            <code>{record.id}</code>
            {left === '' ? null : <span class="left">{left}</span>}
          </p>
          <Actions kind={kind} record={record} />
          {kind === 'requests' ? <RequestActions request={record} /> : null}
          {kind === 'users'
            ? (['accounts', 'onramps', 'transfers'] as const).map((created) => (
                <Create key={created} kind={created} users={users} owner={record.id} />
              ))
            : null}
        </div>
        {kind === 'requests' ? null : <Timeline timeline={timeline} id={record.id} />}
        {kind === 'requests' ? <RequestParts request={record} /> : null}
        {kind === 'requests' ? <Timeline timeline={timeline} id={record.id} /> : null}
        {kind === 'deliveries' ? <Attempts delivery={record} /> : null}
        {kind === 'requests' ? null : (
          <Card id="fields" title="Fields">
            <dl class="fields">
              {shownFields(record, kind).map(([name, value]) => (
                <FieldRow key={name} name={name} value={value} />
              ))}
            </dl>
          </Card>
        )}
        <Card id="json" title="JSON" wide>
          <details class="inside">
            <summary>Show the record as JSON</summary>
            <Json value={record} />
          </details>
        </Card>
      </div>
    </LinksContext.Provider>
  );
}

function FieldRow({ name, value }: { name: string; value: unknown }) {
  const text = value === null ? 'null' : typeof value === 'number' ? plain(value) : String(value);
  return (
    <div>
      <dt>
        <Text>{name}</Text>
      </dt>
      <dd class={value === null ? 'none' : ''}>
        <Linked>{text}</Linked>
      </dd>
    </div>
  );
}

/** The fields of a record by their paths; those of a transfer without the object that they all stand in. */
function shownFields(record: unknown, kind: ListName): [string, unknown][] {
  const all = fieldsOf(record)
    // The attempts of a delivery have a card of their own.
    .filter(([name]) => kind !== 'deliveries' || !name.startsWith('attempts.'))
    .map(([name, value]) => [name.replace(/^transferDetails\./, ''), value] as const);
  return [...new Map(all)];
}

function fieldsOf(value: unknown, path = ''): [string, unknown][] {
  if (typeof value !== 'object' || value === null) return [[path, value]];
  const entries = Object.entries(value);
  if (entries.length === 0) return path === '' ? [] : [[path, Array.isArray(value) ? 'empty list' : 'empty']];
  return entries.flatMap(([name, inner]) => fieldsOf(inner, path === '' ? name : `${path}.${name}`));
}

function Attempts({ delivery }: { delivery: unknown }) {
  const given = field(delivery, 'attempts');
  const attempts: readonly unknown[] = Array.isArray(given) ? given : [];
  return (
    <Card id="attempts" title="Attempts" wide>
      <ol class="rows">
        {attempts.map((attempt, place) => (
          <li key={place}>
            <div class="line">
              <span class="name">
                {textAt(attempt, 'attempt')}. {textAt(attempt, 'status') || textAt(attempt, 'error')}
              </span>
              <Badge status={textAt(attempt, 'outcome')} />
              <p class="facts">
                <span>{when(textAt(attempt, 'at'))}</span>
                <span>{Number(textAt(attempt, 'duration')).toFixed(1)} ms</span>
                {textAt(attempt, 'retryAfter') === '' ? null : (
                  <span>Retry-After {textAt(attempt, 'retryAfter')}</span>
                )}
                {textAt(attempt, 'nextAttemptAt') === '' ? null : (
                  <span>next {when(textAt(attempt, 'nextAttemptAt'))}</span>
                )}
              </p>
            </div>
            <details class="exchange" open={place === attempts.length - 1}>
              <summary>Sent: {headersOf(attempt, 'requestHeaders').length} headers and the body</summary>
              <HeaderRows headers={headersOf(attempt, 'requestHeaders')} />
              <Json value={textAt(attempt, 'requestBody')} />
            </details>
            <div class="exchange">
              <p class="facts">Received: {textAt(attempt, 'status') || textAt(attempt, 'error')}</p>
              {textAt(attempt, 'responseBody') === '' ? null : (
                <Json value={textAt(attempt, 'responseBody')} />
              )}
            </div>
          </li>
        ))}
      </ol>
      <p class="more">
        Event {short(textAt(delivery, 'eventId'))} to <Text>{textAt(delivery, 'url')}</Text>
      </p>
    </Card>
  );
}
