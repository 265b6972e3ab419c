import { send, textAt } from './api.ts';
import { short } from './format.ts';
import { isListName, LISTS } from './lists.ts';
import { openRecord } from './open-record.ts';
import { Form } from './parts.tsx';

/** Opens the record that an id names. */
export function Search() {
  const find = async (data: FormData) => {
    const found = await send('GET', `/records/${encodeURIComponent(String(data.get('id')).trim())}`);
    const [kind, id] = [textAt(found, 'kind'), textAt(found, 'record.id')];
    openRecord(kind, id);
    return `Opened ${isListName(kind) ? LISTS[kind].one.toLowerCase() : kind} ${short(id)}`;
  };
  return (
    <search class="find">
      <Form button="Find" kind="" command={find}>
        <input
          type="search"
          name="id"
          required
          autocomplete="off"
          spellcheck={false}
          aria-label="Find a record by any id"
          placeholder="Any id or requestId"
        />
      </Form>
    </search>
  );
}
