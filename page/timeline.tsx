import { useState } from 'preact/hooks';
import type { Moment } from '../src/emulator/page/timeline.ts';
import { short, when } from './format.ts';
import { LISTS } from './lists.ts';
import { Badge, Card, Text } from './parts.tsx';

const WHAT: Record<Moment['what'], string> = {
  request: 'Request',
  status: 'Status',
  event: 'Event',
  attempt: 'Delivery',
};

/** What happened to a record, oldest first; each entry leads to the record that tells more. */
export function Timeline({ timeline, id }: { timeline: readonly Moment[]; id: string }) {
  const [control, setControl] = useState(false);
  if (timeline.length === 0) return null;
  const controlCalls = timeline.filter(({ isControl }) => isControl === true).length;
  const shown = control ? timeline : timeline.filter(({ isControl }) => isControl !== true);
  return (
    <Card id="timeline" title="Timeline" note={`${shown.length}, oldest first`} wide>
      {controlCalls === 0 ? null : (
        <div class="filter">
          <ControlCalls count={controlCalls} shown={control} onChange={setControl} />
        </div>
      )}
      <ol class="timeline">
        {shown.map((moment, place) => (
          <li key={place} class={moment.what}>
            <time dateTime={moment.at}>{when(moment.at)}</time>
            <span class="what">{WHAT[moment.what]}</span>
            <span class="happened">
              <Happened moment={moment} isHere={moment.id === id} />
              {(moment.facts ?? []).map((fact, index) => (
                <span key={index} class="fact">
                  <Text>{fact}</Text>
                </span>
              ))}
            </span>
            <Badge status={moment.what === 'status' ? moment.title : (moment.result ?? '')} />
          </li>
        ))}
      </ol>
    </Card>
  );
}

function Happened({ moment, isHere }: { moment: Moment; isHere: boolean }) {
  const { what, list, id } = moment;
  const title = what === 'status' ? `${LISTS[list].one} ${short(id)}` : moment.title;
  if (isHere) return <Text>{title}</Text>;
  return (
    <a href={`#/${list}/${encodeURIComponent(id)}`}>
      <Text>{title}</Text>
    </a>
  );
}

interface ControlCallsProps {
  count: number;
  shown: boolean;
  onChange: (shown: boolean) => void;
}

/** Shows requests to the emulator's own routes, which tests and scripts send. */
export function ControlCalls({ count, shown, onChange }: ControlCallsProps) {
  return (
    <label class="check">
      <input
        type="checkbox"
        name="control"
        checked={shown}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />{' '}
      Show {count} control {count === 1 ? 'call' : 'calls'}
    </label>
  );
}
