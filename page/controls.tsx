import type { EmulatorView } from '../src/emulator/page/view.ts';
import { send } from './api.ts';
import { when } from './format.ts';
import { Button, Card, Field, Form } from './parts.tsx';
import { textAt } from './read.ts';

/** What can be done to the emulator as a whole. */
export function Controls({ view }: { view: EmulatorView }) {
  return (
    <div class="controls">
      <ClockCard frozen={view.frozen} />
      <ExportCard />
      <ResetCard />
      <Card id="elsewhere" title="Elsewhere">
        <ul class="inside">
          <li>
            <a href="#/faults">Faults</a>: lose a response, delay it, or change it
          </li>
          <li>
            <a href="#/balances">Balances</a>: set what a user has
          </li>
          <li>
            <a href="#/users">Users</a>: create one
          </li>
        </ul>
      </Card>
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

function ExportCard() {
  const download = (path: string, file: string) => async () => {
    const text = JSON.stringify(await send('GET', path), null, 2);
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
    link.download = file;
    link.click();
    URL.revokeObjectURL(link.href);
    return `Downloaded ${file}`;
  };
  return (
    <Card id="export-card" title="Export">
      <div class="inside">
        <p>Every record as JSON, or a snapshot that another emulator restores.</p>
        <div class="buttons">
          <Button command={download('/state', 'state.json')}>Download the state</Button>
          <Button command={download('/snapshot', 'snapshot.json')}>Download a snapshot</Button>
        </div>
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
