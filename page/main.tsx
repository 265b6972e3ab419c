import { render } from 'preact';
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { RecordView } from '../src/emulator/page/record-view.ts';
import { SIGN } from '../src/emulator/page/sign.ts';
import type { EmulatorView } from '../src/emulator/page/view.ts';
import { hasToken, Refusal, send, storeToken } from './api.ts';
import { Controls } from './controls.tsx';
import { useKeptFocus } from './focus.ts';
import { Header, Nav } from './frame.tsx';
import { KINDS } from './kinds.tsx';
import { type Filter, ListView } from './list-view.tsx';
import { Overview } from './overview.tsx';
import { Field, type Page, PageContext, Text } from './parts.tsx';
import { type Place, placeOf } from './place.ts';
import { RecordPage } from './record.tsx';
import { Found } from './search.tsx';

const EVERYTHING: Filter = { status: '', user: '', oldest: false, control: false };

function queryOf({ list, text }: Place, { status, user, oldest, control }: Filter): string {
  const query = new URLSearchParams();
  if (text !== undefined) query.set('text', text);
  if (list !== undefined) query.set('list', list);
  if (status !== '') query.set('status', status);
  if (user !== '') query.set('user', user);
  if (oldest) query.set('order', 'oldest');
  if (control) query.set('control', 'shown');
  return `/view?${query}`;
}

interface Shown {
  view: EmulatorView;
  record: RecordView | undefined;
  place: Place;
  missing: string | undefined;
}

function App() {
  const [place, setPlace] = useState(() => placeOf(location.hash));
  const [filter, setFilter] = useState(EVERYTHING);
  const [shown, setShown] = useState<Shown>();
  /** Why the last look failed; 401 where the emulator wants a token. */
  const [lost, setLost] = useState<string>('');
  const [refusedToken, setRefusedToken] = useState<boolean>();
  const [said, setSaid] = useState<{ text: string; bad: boolean }>();
  const [looks, setLooks] = useState(0);
  const moved = useRef(false);
  useKeptFocus(shown);

  useEffect(() => {
    const move = (): void => {
      if (location.hash === '#main') return;
      moved.current = true;
      setFilter(EVERYTHING);
      setPlace(placeOf(location.hash));
    };
    addEventListener('hashchange', move);
    return () => removeEventListener('hashchange', move);
  }, []);

  // Looks now, and then every second for as long as somebody can see the page.
  useEffect(() => {
    const gone = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async (): Promise<void> => {
      clearTimeout(timer);
      let wait = 1000;
      try {
        const { id } = place;
        const view = (await send('GET', queryOf(place, filter), undefined, gone.signal)) as EmulatorView;
        const record =
          id === undefined
            ? undefined
            : await send('GET', `/records/${encodeURIComponent(id)}`, undefined, gone.signal).catch(
                (error: unknown) => {
                  if (error instanceof Refusal && error.status === 404) return null;
                  throw error;
                },
              );
        if (gone.signal.aborted) return;
        setShown({
          view,
          place,
          record: (record ?? undefined) as RecordView | undefined,
          missing: record === null ? id : undefined,
        });
        setLost('');
        setRefusedToken(undefined);
      } catch (error) {
        if (gone.signal.aborted) return;
        if (error instanceof Refusal && error.status === 401) setRefusedToken(hasToken());
        else setLost(error instanceof Refusal ? error.message : 'The emulator does not respond');
        wait = 3000;
      }
      if (!document.hidden && !gone.signal.aborted) timer = setTimeout(look, wait);
    };
    const seen = (): void => {
      clearTimeout(timer);
      if (!document.hidden) void look();
    };
    document.addEventListener('visibilitychange', seen);
    void look();
    return () => {
      gone.abort();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', seen);
    };
  }, [place, filter, looks]);

  useEffect(() => {
    const title = place.list === undefined ? '' : `${KINDS[place.list].title} · `;
    document.title = `${title}Payments emulator`;
    if (!moved.current || shown?.place !== place) return;
    moved.current = false;
    document.querySelector('main')?.focus();
    scrollTo(0, 0);
  }, [place, shown]);

  useEffect(() => {
    if (said === undefined || said.bad) return;
    const timer = setTimeout(() => setSaid(undefined), 8000);
    return () => clearTimeout(timer);
  }, [said]);

  const look = useCallback(() => setLooks((count) => count + 1), []);
  const say = useCallback((text: string, bad = false) => setSaid({ text, bad }), []);
  const page = useMemo<Page>(() => ({ say, look }), [say, look]);

  if (refusedToken !== undefined) return <TokenForm wrong={refusedToken} onToken={look} />;
  return (
    <PageContext.Provider value={page}>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <Header view={shown?.view} connected={lost === ''} />
      {lost === '' ? null : (
        <p class="lost" role="alert">
          {lost}. You see its last state; the page tries again by itself.
        </p>
      )}
      <div class="frame">
        <Nav
          view={shown?.view}
          current={shown?.place === place ? (shown.record?.kind ?? place.name) : place.name}
        />
        <main id="main" tabIndex={-1}>
          {shown === undefined ? (
            <p class="empty">Loading…</p>
          ) : (
            <Content shown={shown} filter={filter} onFilter={setFilter} />
          )}
        </main>
      </div>
      <footer>
        <p>
          Seed <code>{shown?.view.seed ?? ''}</code>
        </p>
      </footer>
      <div
        class="said"
        role={said?.bad === true ? 'alert' : 'status'}
        aria-live={said?.bad === true ? 'assertive' : 'polite'}
      >
        {said === undefined ? null : (
          <div class={said.bad ? 'bad' : 'good'}>
            <p>
              <bdi>{said.text}</bdi>
            </p>
            <button type="button" onClick={() => setSaid(undefined)}>
              Close
            </button>
          </div>
        )}
      </div>
    </PageContext.Provider>
  );
}

function Content({
  shown,
  filter,
  onFilter,
}: {
  shown: Shown;
  filter: Filter;
  onFilter: (filter: Filter) => void;
}) {
  const { place, view, record, missing } = shown;
  if (place.name === 'unknown') return <Missing what={`page ${location.hash}`} />;
  if (missing !== undefined) {
    const one = place.list === undefined ? 'record' : KINDS[place.list].one.toLowerCase();
    return <Missing what={`${one} with the id ${missing}`} />;
  }
  if (place.text !== undefined) return <Found text={place.text} view={view} />;
  if (record !== undefined) return <RecordPage key={record.record.id} view={record} users={view.users} />;
  if (place.list !== undefined)
    return <ListView kind={place.list} view={view} filter={filter} onFilter={onFilter} />;
  return place.name === 'controls' ? <Controls view={view} /> : <Overview view={view} />;
}

function Missing({ what }: { what: string }) {
  return (
    <div class="missing">
      <h2>
        There is no <Text>{what}</Text>
      </h2>
      <p>
        The emulator keeps its records until it ends or is reset, and the newest 1,000 requests. Search for a
        name, an amount or an id above, or go to the <a href="#/overview">overview</a>.
      </p>
    </div>
  );
}

function TokenForm({ wrong, onToken }: { wrong: boolean; onToken: () => void }) {
  return (
    <main class="token" tabIndex={-1}>
      <h1>
        <img src={SIGN} alt="" width={26} height={26} /> Payments emulator
      </h1>
      <p>
        Other machines can reach this emulator, so it requires a bearer token: the one of --token, or the one
        that it printed.
      </p>
      {wrong ? (
        <p class="lost" role="alert">
          The emulator does not accept this token.
        </p>
      ) : null}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          storeToken(String(new FormData(event.currentTarget).get('token')).trim());
          onToken();
        }}
      >
        <Field name="token" label="Token" type="password" required />
        <div class="buttons">
          <button type="submit" class="main">
            Open
          </button>
        </div>
      </form>
    </main>
  );
}

const root = document.getElementById('app');
if (root !== null) {
  root.replaceChildren();
  render(<App />, root);
}
