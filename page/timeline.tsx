import { useState } from 'preact/hooks';
import type { Moment } from '../src/emulator/page/timeline.ts';
import { since } from './format.ts';
import { KINDS } from './kinds.tsx';
import { ControlCalls } from './list-view.tsx';
import { doneIn, type Row, rowsOf, seenIn } from './moments.ts';
import { Badge, Card, Dotted, Text } from './parts.tsx';

/** What happened to a record, oldest first: what its client saw, beside what the service did. */
export function Timeline({ timeline, id }: { timeline: readonly Moment[]; id: string }) {
  const [control, setControl] = useState(false);
  if (timeline.length === 0) return null;
  const controlCalls = timeline.filter(({ isControl }) => isControl === true).length;
  const rows = rowsOf(control ? timeline : timeline.filter(({ isControl }) => isControl !== true));
  return (
    <Card id="timeline" title="Timeline" note="oldest first, UTC">
      {controlCalls === 0 ? null : (
        <div class="filter">
          <ControlCalls count={controlCalls} shown={control} onChange={setControl} />
        </div>
      )}
      <table class="timeline" aria-label="Timeline">
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">The client saw</th>
            <th scope="col">The service did</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, place) => (
            <TimelineRow key={place} row={row} before={rows[place - 1]?.at} id={id} />
          ))}
        </tbody>
      </table>
    </Card>
  );
}

/** A row, below the day where that is another one: the time to the millisecond, and the time since the row before. */
function TimelineRow({ row, before, id }: { row: Row; before: string | undefined; id: string }) {
  const [day, time] = row.at.replace('Z', '').split('T');
  return (
    <>
      {before?.split('T')[0] === day ? null : (
        <tr class="day">
          <th colSpan={3} scope="rowgroup">
            {day}
          </th>
        </tr>
      )}
      <tr>
        <td class="time">
          <time dateTime={row.at}>{time}</time>{' '}
          {before === undefined ? null : <span class="since">{since(before, row.at)}</span>}
        </td>
        <td class="client">
          {row.client === undefined ? null : (
            <div>
              <Seen moment={row.client} id={id} />
            </div>
          )}
        </td>
        <td class="service">
          <div>
            <Done row={row} id={id} />
          </div>
        </td>
      </tr>
    </>
  );
}

/** A request with the response that reached its client, or an event with the response of its receiver. */
function Seen({ moment, id }: { moment: Moment; id: string }) {
  const { what, response, fault } = seenIn(moment);
  return (
    <>
      <Lead moment={moment} id={id}>
        {what}
      </Lead>{' '}
      <Badge status={response} /> {fault === '' ? null : <span class="fact">fault: {fault}</span>}
    </>
  );
}

function Done({ row, id }: { row: Row; id: string }) {
  const { words, facts } = doneIn(row);
  return (
    <>
      {words === '' ? null : (
        <p class="did">
          <Dotted>{words}</Dotted>
        </p>
      )}
      {row.service.map((moment, place) => (
        <p key={place} class={moment.what}>
          <Lead moment={moment} id={id}>
            {moment.what === 'status' ? KINDS[moment.list].one : moment.title}
          </Lead>{' '}
          {moment.what === 'status' ? <Badge status={moment.title} /> : <span class="fact">event</span>}
        </p>
      ))}
      {facts === '' ? null : (
        <p class="fact">
          <Text>{facts}</Text>
        </p>
      )}
    </>
  );
}

/** A name that leads to the record of a moment, unless that one is open. */
function Lead({ moment: { list, id: to }, id, children }: { moment: Moment; id: string; children: string }) {
  if (to === id) return <Dotted>{children}</Dotted>;
  return (
    <a href={`#/${list}/${encodeURIComponent(to)}`}>
      <Dotted>{children}</Dotted>
    </a>
  );
}
