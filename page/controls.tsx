import { useState } from 'preact/hooks';
import type { EmulatorView } from '../src/emulator/page/view.ts';
import { FAULT_KINDS, USUAL_LATENCY } from '../src/emulator/state/faults.ts';
import { send, textAt } from './api.ts';
import { when } from './format.ts';
import { Button, Card, Field, Form, Select } from './parts.tsx';

/** Everything that can be done to the emulator as a whole. */
export function Controls({ view }: { view: EmulatorView }) {
  return (
    <div class="controls">
      <ClockCard frozen={view.frozen} />
      <FaultCard operations={view.operations} />
      <ResetCard />
    </div>
  );
}

export async function advance(text: string): Promise<string> {
  const result = await send('POST', '/clock', { advance: text });
  return `It is now ${when(textAt(result, 'now'))} UTC`;
}

export async function freeze(frozen: boolean): Promise<string> {
  await send('POST', '/clock', { frozen });
  return frozen ? 'The clock stands still' : 'The clock is running';
}

function ClockCard({ frozen }: { frozen: boolean }) {
  return (
    <Card id="clock-card" title="Clock" note={frozen ? 'stands still' : 'is running'}>
      <div class="inside">
        <Form
          button="Advance"
          label="Advance the clock"
          command={(data) => advance(String(data.get('by')).trim())}
        >
          <Field
            name="by"
            label="Advance by, like 25h"
            required
            placeholder="25h"
            pattern="\s*\d+(\.\d+)?(ms|s|m|h|d|w)\s*"
            title="A number and ms, s, m, h, d or w, such as 25h"
          />
        </Form>
      </div>
    </Card>
  );
}

const FIELD_KINDS = ['unknown-enum', 'missing-field', 'wrong-type'];

function FaultCard({ operations }: { operations: readonly string[] }) {
  const [kind, setKind] = useState<string>('latency');
  return (
    <Card id="fault-card" title="Inject a fault">
      <div class="inside">
        <Form
          button="Inject the fault"
          command={async (data) => {
            const number = (name: string) => {
              const value = data.get(name);
              return typeof value === 'string' && value !== '' ? { [name]: Number(value) } : {};
            };
            const retryAfter = String(data.get('retryAfter') ?? '').trim();
            const name = String(data.get('field') ?? '').trim();
            const injected = await send('POST', '/faults', {
              ...{ operation: data.get('operation'), kind, ...number('times'), ...number('latency') },
              ...number('status'),
              ...(retryAfter === ''
                ? {}
                : { retryAfter: /^\d+$/.test(retryAfter) ? Number(retryAfter) : retryAfter }),
              ...(data.get('commit') === 'on' ? { commit: true } : {}),
              ...(name === '' ? {} : { field: name }),
            });
            const operation = textAt(injected, 'fault.operation');
            return `Injected ${textAt(injected, 'fault.kind')} on ${operation === '*' ? 'every operation' : operation}`;
          }}
          more={
            <Button
              label="Clear all faults"
              command={async () => `Cleared ${textAt(await send('DELETE', '/faults', {}), 'cleared')} faults`}
            >
              Clear all
            </Button>
          }
        >
          <Select name="operation" label="Operation" options={[['*', 'every operation'], ...operations]} />
          <Select name="kind" label="Kind" options={FAULT_KINDS} value={kind} onChange={setKind} />
          <Field name="times" label="Times" type="number" min={1} max={1_000_000} value={1} required />
          <Field
            // Another kind has another usual delay.
            key={kind === 'latency'}
            name="latency"
            label="Late by (ms)"
            type="number"
            min={0}
            max={600_000}
            value={kind === 'latency' ? USUAL_LATENCY : undefined}
            placeholder="0"
          />
          {kind === 'status' ? (
            <>
              <Field
                name="status"
                label="Status"
                type="number"
                min={300}
                max={599}
                placeholder="500, or 503 with Retry-After"
              />
              <Field name="retryAfter" label="Retry-After" placeholder="seconds or a date" />
              <label class="check">
                <input type="checkbox" name="commit" /> after the request was carried out
              </label>
            </>
          ) : null}
          {FIELD_KINDS.includes(kind) ? (
            <Field name="field" label="Field (optional)" placeholder="transferDetails.status" />
          ) : null}
        </Form>
      </div>
    </Card>
  );
}

function ResetCard() {
  const reset = async () => {
    if (!confirm('Reset the emulator? Every record, event and fault is deleted. This cannot be undone.'))
      return 'Nothing was deleted';
    await send('POST', '/reset');
    return 'The emulator starts anew';
  };
  return (
    <Card id="reset-card" title="Reset">
      <div class="inside">
        <p>Deletes every record, event, delivery and fault.</p>
        <div class="buttons">
          <Button kind="danger" command={reset}>
            Reset…
          </Button>
        </div>
      </div>
    </Card>
  );
}
