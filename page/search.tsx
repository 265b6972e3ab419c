import { useEffect } from 'preact/hooks';
import type { ListName } from '../src/emulator/page/kinds.ts';
import type { EmulatorView } from '../src/emulator/page/view.ts';
import { KINDS } from './kinds.tsx';
import { Card, Text } from './parts.tsx';
import { Table } from './table.tsx';

const ORDER: readonly ListName[] = [
  ...(['users', 'transfers', 'onramps', 'approvals', 'accounts', 'balances'] as const),
  ...(['requests', 'events', 'deliveries', 'faults'] as const),
];

/** The field in the header that finds records. */
export function Search() {
  const find = (event: SubmitEvent): void => {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    const text = String(new FormData(event.currentTarget).get('text')).trim();
    if (text !== '') location.hash = `#/search/${encodeURIComponent(text)}`;
  };
  return (
    <search class="find">
      <form onSubmit={find}>
        <input
          type="search"
          name="text"
          required
          maxLength={200}
          autocomplete="off"
          spellcheck={false}
          aria-label="Find records by name, amount, e-mail or any id"
          placeholder="Name, amount, e-mail or any id"
        />
        <button type="submit">Find</button>
      </form>
    </search>
  );
}

/** What a search found. The one record that an id names opens by itself. */
export function Found({ text, view }: { text: string; view: EmulatorView }) {
  const { exact, lists } = view;
  useEffect(() => {
    if (exact !== null) location.replace(`#/${exact.list}/${encodeURIComponent(exact.id)}`);
  }, [exact?.list, exact?.id]);
  const found = ORDER.filter((kind) => (lists[kind]?.length ?? 0) > 0);
  return (
    <>
      <h2 class="found">
        {found.length === 0 ? 'Nothing matches ' : 'Records with '}
        <Text>{text}</Text>
      </h2>
      {found.length > 0 ? null : (
        <p class="empty">
          A search finds words of a name or an e-mail address, an exact amount such as 1250, and an id or its
          first characters.
        </p>
      )}
      {found.map((kind) => (
        <Card key={kind} id={kind} title={KINDS[kind].title}>
          <Table kind={kind} records={lists[kind] ?? []} beside={view} actions={false} />
        </Card>
      ))}
    </>
  );
}
