import { type ComponentChildren, createContext } from 'preact';
import { useContext, useState } from 'preact/hooks';
import type { RecordView } from '../src/emulator/page/record-view.ts';
import type { EmulatorView } from '../src/emulator/page/view.ts';
import { copyText } from './copy.ts';
import { amountOf, mood, short, unitOf, when } from './format.ts';

/** What every part of the page may do: tell what happened, and look at the emulator again. */
export interface Page {
  say: (text: string, bad?: boolean) => void;
  look: () => void;
}

export const PageContext = createContext<Page>({ say: () => {}, look: () => {} });
export const usePage = (): Page => useContext(PageContext);

/** The records that the ids on the page lead to. */
export const LinksContext = createContext<RecordView['links']>({});

/** A text of a record that leads to the record that it names, or that another id names, if there is one. */
export function Linked({ children, to = children }: { children: string; to?: string }) {
  const place = useContext(LinksContext)[to.toLowerCase()];
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

/** A name of several words, such as the path of a field or the type of an event, which breaks only after a dot. */
export function Dotted({ children }: { children: string }) {
  return (
    <bdi class="dotted">
      {children
        .split('.')
        .flatMap((part, place) => (place === 0 ? [part] : ['.', <wbr key={place} />, part]))}
    </bdi>
  );
}

export function Badge({ status }: { status: string }) {
  if (status === '') return null;
  return <span class={`badge ${mood(status)}`}>{status.replaceAll('_', ' ')}</span>;
}

/** A time, of which the day is told apart. */
export function When({ at }: { at: string }) {
  const [day, time] = when(at).split(' ');
  return (
    <time dateTime={at}>
      <span class="day">{day}</span> {time}
    </time>
  );
}

/** An amount with its currency, which stand in columns where amounts stand below each other. */
export function Amount({ amount, currency }: { amount: string; currency: string }) {
  return (
    <span class="amount">
      {amountOf(amount)} <span class="unit">{unitOf(currency)}</span>
    </span>
  );
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
}

export function Card({ id, title, note, children }: CardProps) {
  return (
    <section class="card" aria-labelledby={`${id}-heading`}>
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
          // A lost connection is told by the page itself, above everything.
          if (error instanceof DOMException || error instanceof TypeError) return;
          say(`That did not work: ${error instanceof Error ? error.message : String(error)}`, true);
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
  children: ComponentChildren;
  /** The whole name, for those who do not see what stands around the button. */
  label?: string;
  kind?: 'main' | 'danger' | 'small' | '';
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
  kind?: 'main' | 'danger' | 'small' | '';
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

interface CheckProps {
  name: string;
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

export function Check({ name, label, checked, onChange }: CheckProps) {
  return (
    <label class="check">
      <input
        type="checkbox"
        name={name}
        checked={checked}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />{' '}
      {label}
    </label>
  );
}

/** An id in full, with a button that copies it. */
export function Copyable({ what, text }: { what: string; text: string }) {
  const command = async () => {
    await copyText(text);
    return `Copied the ${what}`;
  };
  return (
    <span class="copyable">
      <code>{text}</code>
      <Button kind="small" label={`Copy the ${what}`} command={command}>
        <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
          <path
            d="M5.5 5.5h7v8h-7zM3.5 10.5v-8h7"
            fill="none"
            stroke="currentColor"
            stroke-width="1.4"
            stroke-linejoin="round"
          />
        </svg>
      </Button>
    </span>
  );
}

/** Users to choose from. Those of one name also have the start of their ids. */
export function userOptions(users: EmulatorView['users']): [id: string, label: string][] {
  const names = users.map(({ name }) => name);
  return users.map(({ id, name }) => {
    const isAlone = name !== '' && names.filter((other) => other === name).length === 1;
    // An option takes no markup to isolate the direction of a name, so characters that turn it are left out.
    const shown = name.replaceAll(/\p{C}/gu, '');
    return [id, isAlone ? shown : `${shown || 'User'} ${short(id)}`];
  });
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
