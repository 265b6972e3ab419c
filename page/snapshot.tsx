import { send } from './api.ts';
import { Button, Card, usePage } from './parts.tsx';

/** Saves the whole state as a file, and loads it again. */
export function SnapshotCard() {
  const { say, look } = usePage();
  const load = async (input: HTMLInputElement): Promise<void> => {
    const file = input.files?.[0];
    if (file === undefined) return;
    try {
      await send('PUT', '/snapshot', await file.text());
      say(`Loaded ${file.name}`);
    } catch (error) {
      say(`That did not work: ${error instanceof Error ? error.message : 'the file cannot be read'}`, true);
    }
    input.value = '';
    look();
  };
  return (
    <Card id="snapshot-card" title="Snapshot">
      <div class="inside">
        <p>Everything that the emulator holds, the clock and pending deliveries included.</p>
        <div class="buttons">
          <Button label="Save a snapshot" command={save}>
            Save
          </Button>
        </div>
        <label>
          Load a snapshot
          <input
            type="file"
            accept=".json,application/json"
            onChange={(event) => void load(event.currentTarget)}
          />
        </label>
      </div>
    </Card>
  );
}

async function save(): Promise<string> {
  const snapshot = await send('GET', '/snapshot');
  const url = URL.createObjectURL(new Blob([JSON.stringify(snapshot)], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = 'emulator-snapshot.json';
  link.click();
  URL.revokeObjectURL(url);
  return 'Saved emulator-snapshot.json';
}
