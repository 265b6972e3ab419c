import { useEffect, useState } from 'preact/hooks';
import { DECISIONS, PRESETS } from '../src/emulator/dialect/decisions.ts';
import { field, send } from './api.ts';
import { Card, Field, Form, Select, usePage } from './parts.tsx';

/** Chooses how the service does what its description leaves open. */
export function DialectCard() {
  const { say, now } = usePage();
  const [dialect, setDialect] = useState<unknown>(null);
  useEffect(() => {
    if (now !== '') send('GET', '/dialect').then(setDialect, () => {});
  }, [now === '']);
  const change = async (next: unknown, text: string): Promise<string> => {
    setDialect(await send('PUT', '/dialect', next));
    return text;
  };
  const name = Object.entries(PRESETS).find(
    ([, preset]) => JSON.stringify(preset) === JSON.stringify(dialect),
  )?.[0];
  return (
    <Card id="dialect-card" title="Dialect" note={name ?? 'mixed'}>
      <div class="inside">
        <p>How the service does what its description leaves open.</p>
        <Form
          button="Use the dialect"
          command={(data) => {
            const chosen = String(data.get('dialect'));
            const seed = String(data.get('seed') ?? '');
            return change(
              chosen === 'random' ? { random: seed || 'page' } : { extends: chosen },
              `The dialect is ${chosen}`,
            );
          }}
        >
          <Select
            name="dialect"
            label="Dialect"
            options={[
              ['spec', 'spec: as described'],
              ['field', 'field: as services of this kind'],
              ['random', 'random: from a seed'],
            ]}
            value={name ?? 'random'}
          />
          <Field name="seed" label="Seed (for random)" placeholder="page" />
        </Form>
        <details>
          <summary>Single decisions</summary>
          <div class="decisions">
            {Object.entries(DECISIONS).map(([key, { random }]) => {
              const current = field(dialect, key);
              const options = [
                ...new Set([...random, current].map((option) => JSON.stringify(option) ?? 'null')),
              ];
              return (
                <Select
                  key={key}
                  name={key}
                  label={key}
                  options={options.map((option) => [option, option.replace(/^"|"$/g, '')] as const)}
                  value={JSON.stringify(current) ?? 'null'}
                  onChange={(value) => {
                    change({ ...Object(dialect), [key]: JSON.parse(value) }, `${key} is ${value}`).then(
                      (text) => say(text),
                      (error: unknown) =>
                        say(`That did not work: ${error instanceof Error ? error.message : ''}`, true),
                    );
                  }}
                />
              );
            })}
          </div>
        </details>
      </div>
    </Card>
  );
}
