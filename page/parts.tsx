import { type ComponentChildren, createContext } from 'preact';
import { useContext, useState } from 'preact/hooks';
import type { RecordView } from '../src/emulator/page/record-view.ts';
import { mood } from './format.ts';

/** What every part of the page may do: tell what happened, and look at the emulator again. */
export interface Page {
  say: (text: string, bad?: boolean) => void;
  look: () => void;
}

export const PageContext = createContext<Page>({ say: () => {}, look: () => {} });
export const usePage = (): Page => useContext(PageContext);

/** The records that the ids on the page lead to. */
export const LinksContext = createContext<RecordView['links']>({});

/** A text of a record that leads to the record that it names, if it names one. */
export function Linked({ children }: { children: string }) {
  const place = useContext(LinksContext)[children.toLowerCase()];
  if (place === undefined) return <Text>{children}</Text>;
  return (
    <a href={`#/${place.list}/${encodeURIComponent(place.id)}`}>
      <Text>{children}</Text>
    </a>
  );
}

/** A text of a record. It is isolated, so that its direction changes nothing around it. */
export function Text({ children }: { children: string }) {
  return <bdi>{children}</bdi>;
}

export function Badge({ status }: { status: string }) {
  if (status === '') return null;
  return <span class={`badge ${mood(status)}`}>{status.replaceAll('_', ' ')}</span>;
}

/** A value as JSON; every text in it is isolated. */
export function Json({ value }: { value: unknown }) {
  return <Source text={typeof value === 'string' ? pretty(value) : JSON.stringify(value, null, 2)} />;
}

export function Source({ text }: { text: string }) {
  const parts = text.split(/("(?:[^"\\]|\\.)*")/);
  return (
    <pre dir="ltr">
      <code>{parts.map((part, place) => (place % 2 === 1 ? <Quoted key={place} text={part} /> : part))}</code>
    </pre>
  );
}

/** A text in quotes, which leads to a record if it names one. */
function Quoted({ text }: { text: string }) {
  const inner = text.slice(1, -1);
  if (useContext(LinksContext)[inner.toLowerCase()] === undefined) return <bdi>{text}</bdi>;
  return (
    <>
      "<Linked>{inner}</Linked>"
    </>
  );
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

export interface CardProps {
  id: string;
  title: string;
  note?: ComponentChildren;
  children: ComponentChildren;
  wide?: boolean;
}

export function Card({ id, title, note, children, wide = false }: CardProps) {
  return (
    <section class={wide ? 'card wide' : 'card'} aria-labelledby={`${id}-heading`}>
      <div class="head">
        <h2 id={`${id}-heading`} tabIndex={-1}>
          {title}
        </h2>
        {note === undefined ? null : <p>{note}</p>}
      </div>
      {children}
    </section>
  );
}

/** Something to do: it resolves with what to say about it. */
export type Command = () => Promise<string>;

function useCommand(command: Command): { busy: boolean; run: () => void } {
  const { say, look } = usePage();
  const [busy, setBusy] = useState(false);
  const run = (): void => {
    if (busy) return;
    setBusy(true);
    command()
      .then(
        (text) => say(text),
        (error: unknown) => {
          const silent = error instanceof DOMException || error instanceof TypeError;
          const reason =
            silent || !(error instanceof Error) ? 'the emulator does not respond' : error.message;
          say(`That did not work: ${reason}`, true);
        },
      )
      .finally(() => {
        setBusy(false);
        look();
      });
  };
  return { busy, run };
}

interface ButtonProps {
  children: string;
  /** The whole name, for those who do not see what stands around the button. */
  label?: string;
  kind?: 'main' | 'danger' | '';
  command: Command;
}

export function Button({ children, label, kind = '', command }: ButtonProps) {
  const { busy, run } = useCommand(command);
  return (
    <button type="button" class={kind} aria-label={label} aria-busy={busy} onClick={run}>
      {children}
    </button>
  );
}

interface FormProps {
  children: ComponentChildren;
  button: string;
  label?: string;
  kind?: 'main' | 'danger' | '';
  command: (data: FormData) => Promise<string>;
  more?: ComponentChildren;
}

/** A form whose button sends it, by Enter as well. */
export function Form({ children, button, label, kind = 'main', command, more }: FormProps) {
  const [data, setData] = useState<FormData>(() => new FormData());
  const { busy, run } = useCommand(() => command(data));
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    const sent = new FormData(event.currentTarget);
    for (const name of [...data.keys()]) if (!sent.has(name)) data.delete(name);
    for (const name of new Set(sent.keys())) {
      data.delete(name);
      for (const value of sent.getAll(name)) data.append(name, value);
    }
    setData(data);
    run();
  };
  return (
    <form onSubmit={submit}>
      {children}
      <div class="buttons">
        <button type="submit" class={kind} aria-label={label} aria-busy={busy}>
          {button}
        </button>
        {more}
      </div>
    </form>
  );
}

export interface FieldProps {
  name: string;
  label: string;
  value?: string | number;
  type?: 'text' | 'number' | 'password';
  required?: boolean;
  placeholder?: string;
  min?: number;
  max?: number;
  step?: string;
  pattern?: string;
  title?: string;
}

export function Field({ label, value, type = 'text', ...rest }: FieldProps) {
  const input = {
    ...rest,
    autocomplete: 'off',
    defaultValue: value === undefined ? '' : String(value),
  } as const;
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: one of the three inputs is always there
    <label>
      {label}
      {type === 'number' ? <input type="number" {...input} /> : null}
      {type === 'password' ? <input type="password" {...input} /> : null}
      {type === 'text' ? <input type="text" {...input} /> : null}
    </label>
  );
}

interface SelectProps {
  name: string;
  label: string;
  options: readonly (string | readonly [value: string, label: string])[];
  value?: string;
  onChange?: (value: string) => void;
}

export function Select({ name, label, options, value, onChange }: SelectProps) {
  return (
    <label>
      {label}
      <select name={name} onChange={(event) => onChange?.(event.currentTarget.value)}>
        {options.map((option) => {
          const [key, text] = typeof option === 'string' ? [option, option] : option;
          return (
            <option key={key} value={key} selected={key === value}>
              {text}
            </option>
          );
        })}
      </select>
    </label>
  );
}
