import { useEffect, useRef, useState } from 'preact/hooks';
import type { ListName } from '../src/emulator/page/kinds.ts';
import { SIGN } from '../src/emulator/page/sign.ts';
import type { EmulatorView } from '../src/emulator/page/view.ts';
import { advance, freeze } from './controls.tsx';
import { when } from './format.ts';
import { KINDS } from './kinds.tsx';
import { Button } from './parts.tsx';
import { Search } from './search.tsx';

/** The name, and the clock with what is done to it most. */
export function Header({ view, connected }: { view: EmulatorView | undefined; connected: boolean }) {
  const frozen = view?.frozen ?? false;
  return (
    <header>
      <h1>
        <a href="#/overview">
          <img src={SIGN} alt="" width={26} height={26} /> Payments emulator
        </a>
      </h1>
      <Search />
      <div class="clock">
        <p>
          <time dateTime={view?.now ?? ''}>{view === undefined ? '' : `${when(view.now)} UTC`}</time>{' '}
          {connected ? (
            <span class={frozen ? 'badge wait' : 'badge good'}>{frozen ? 'stands still' : 'is running'}</span>
          ) : (
            <span class="badge bad">no connection</span>
          )}
        </p>
        <div class="buttons">
          <Button label="+1 h: advance the clock by 1 hour" command={() => advance('1h')}>
            +1 h
          </Button>
          <Button label="+1 d: advance the clock by 1 day" command={() => advance('1d')}>
            +1 d
          </Button>
          <Button label="+7 d: advance the clock by 7 days" command={() => advance('7d')}>
            +7 d
          </Button>
          <Button command={() => freeze(!frozen)}>{frozen ? 'Resume' : 'Freeze'}</Button>
        </div>
      </div>
    </header>
  );
}

const GROUPS: readonly (readonly [title: string, lists: readonly ListName[]])[] = [
  ['Money', ['approvals', 'transfers', 'onramps', 'balances']],
  ['People', ['users', 'accounts']],
  ['Traffic', ['requests', 'events', 'deliveries', 'faults']],
];

export function Nav({ view, current }: { view: EmulatorView | undefined; current: string }) {
  const nav = useRef<HTMLElement>(null);
  // Again when the counts appear: they make the links wider.
  const counted = view !== undefined;
  useEffect(() => {
    const link = nav.current?.querySelector<HTMLElement>('[aria-current]');
    // `scrollIntoView` would also move the place where Tab begins.
    nav.current?.scrollTo({ left: (link?.offsetLeft ?? 0) - nav.current.clientWidth / 3 });
  }, [current, counted]);
  const more = useMore(nav, counted);
  return (
    <div class="menu">
      <nav aria-label="Records" ref={nav}>
        <ul>
          <NavLink name="overview" title="Overview" current={current} />
          <NavLink name="controls" title="Controls" current={current} />
        </ul>
        {GROUPS.map(([title, lists]) => (
          <div key={title} class="group">
            <p aria-hidden="true">{title}</p>
            <ul aria-label={title}>
              {lists.map((name) => (
                <NavLink key={name} name={name} title={KINDS[name].title} current={current} view={view} />
              ))}
            </ul>
          </div>
        ))}
      </nav>
      {more.map((side) => (
        <span key={side} class={`more-${side}`} aria-hidden="true">
          {side === 'left' ? '‹' : '›'}
        </span>
      ))}
    </div>
  );
}

type Side = 'left' | 'right';

/** The sides to which the menu scrolls further: on a phone it is wider than the screen. */
function useMore(menu: { current: HTMLElement | null }, counted: boolean): Side[] {
  const [sides, setSides] = useState<Side[]>([]);
  // Again when the counts appear: they make the links wider.
  useEffect(() => {
    const element = menu.current;
    if (element === null) return;
    const measure = (): void => {
      const { scrollLeft, clientWidth, scrollWidth } = element;
      const found: Side[] = [];
      if (scrollLeft > 4) found.push('left');
      if (scrollLeft + clientWidth < scrollWidth - 4) found.push('right');
      setSides((before) => (before.join() === found.join() ? before : found));
    };
    measure();
    element.addEventListener('scroll', measure, { passive: true });
    addEventListener('resize', measure);
    return () => {
      element.removeEventListener('scroll', measure);
      removeEventListener('resize', measure);
    };
  }, [menu, counted]);
  return sides;
}

interface NavLinkProps {
  name: ListName | 'overview' | 'controls';
  title: string;
  current: string;
  view?: EmulatorView | undefined;
}

function NavLink({ name, title, current, view }: NavLinkProps) {
  const count =
    view === undefined || name === 'overview' || name === 'controls' ? undefined : view.counts[name];
  const urgent = urgentIn(name, view);
  return (
    <li>
      <a href={`#/${name}`} aria-current={name === current ? 'page' : undefined}>
        {title}
        {urgent === undefined ? null : <span class="urgent">{urgent}</span>}
        {urgent !== undefined || count === undefined ? null : (
          <span class="count">{count.toLocaleString('en')}</span>
        )}
      </a>
    </li>
  );
}

/** What waits for somebody: approvals for a decision, faults for a call. */
function urgentIn(name: string, view: EmulatorView | undefined): string | undefined {
  const { pendingApprovals = 0, faults = 0 } = view?.counts ?? {};
  if (name === 'approvals' && pendingApprovals > 0) return `${pendingApprovals} pending`;
  return name === 'faults' && faults > 0 ? `${faults} waiting` : undefined;
}
