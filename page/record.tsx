import type { ListName } from '../src/emulator/page/kinds.ts';
import type { RecordView } from '../src/emulator/page/record-view.ts';
import { Actions } from './actions.tsx';
import { field, headersOf, textAt } from './api.ts';
import { plain, short, timeLeft, when } from './format.ts';
import { LISTS } from './lists.ts';
import { Badge, Card, Json, Text } from './parts.tsx';
import { HeaderRows, RequestParts } from './request.tsx';

/** One record: its fields, and what can be done with it. */
export function RecordPage({ view }: { view: RecordView }) {
  const { kind, record, now } = view;
  const line = LISTS[kind].line(record, { amounts: {} });
  const left = timeLeft(record, now);
  return (
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
      </div>
      {kind === 'requests' ? <RequestParts request={record} /> : null}
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
  );
}

function FieldRow({ name, value }: { name: string; value: unknown }) {
  const text = value === null ? 'null' : typeof value === 'number' ? plain(value) : String(value);
  const target = linkOf(name, value);
  return (
    <div>
      <dt>
        <Text>{name}</Text>
      </dt>
      <dd class={value === null ? 'none' : ''}>
        {target === undefined ? (
          <Text>{text}</Text>
        ) : (
          <a href={`#/${target}/${encodeURIComponent(text)}`}>
            <Text>{text}</Text>
          </a>
        )}
      </dd>
    </div>
  );
}

/** What kind of record a field names. */
function linkOf(name: string, value: unknown): ListName | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  const last = name.split('.').at(-1) ?? '';
  const targets: Record<string, ListName> = {
    userId: 'users',
    initiatorId: 'users',
    accountId: 'accounts',
    approvalId: 'approvals',
    transferId: 'transfers',
    eventId: 'events',
  };
  if (name === 'data.id') return 'transfers';
  return name.endsWith('approval.id') ? 'approvals' : targets[last];
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
