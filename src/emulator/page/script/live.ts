/** Looking at the emulator every second, and showing what changed and nothing else. */
export const LIVE = `
const OVERVIEW = 5;
const NEWEST = 100;
const cards = new Map();

function shownList() {
  const name = location.hash.slice(1);
  return Object.hasOwn(LISTS, name) ? name : undefined;
}

function makeCard(name) {
  const heading = el('h2', { id: name + '-heading', tabindex: -1 }, LISTS[name].title);
  const count = el('p', {});
  const rows = el('ul', { class: 'rows' });
  const more = el('p', { class: 'more', hidden: true });
  const sample = el('pre', {});
  const says = el('p', {}, LISTS[name].empty);
  const empty = el('div', { class: 'empty', hidden: true }, says, LISTS[name].sample === undefined ? undefined : sample);
  const element = el('section', { class: 'card', 'aria-labelledby': name + '-heading' }, el('div', { class: 'head' }, heading, count), rows, more, empty);
  const card = { name, element, heading, count, rows, more, sample, empty, known: new Map() };
  cards.set(name, card);
  byId('main').append(element);
  return card;
}

function makeRow(list) {
  const badge = el('span', { class: 'badge' });
  const title = el('span', { class: 'title' });
  const facts = el('span', { class: 'facts' });
  const summary = el('summary', {}, badge, title, el('span', { class: 'toggle' }, 'JSON'), facts);
  const json = el('pre', {});
  const details = el('details', {}, summary, json);
  const actions = el('div', { class: 'act' });
  const row = { element: el('li', { class: list.beside ? 'beside' : '' }, details, actions), details, summary, badge, title, facts, json, actions, text: '', signature: undefined };
  details.addEventListener('toggle', () => { if (details.open) write(json, row.text); });
  return row;
}

function showRow(row, record, list, view) {
  const about = view.amounts[record.id];
  const text = JSON.stringify(record, null, 2);
  if (text === row.text && about === row.about) return;
  row.text = text;
  if (row.details.open) write(row.json, text);
  const line = list.line(record, view);
  write(row.badge, line.status.replaceAll('_', ' '));
  row.badge.className = 'badge ' + (line.mood ?? mood(line.status));
  row.badge.hidden = line.status === '';
  write(row.title, line.title);
  write(row.facts, line.facts.filter((fact) => fact !== undefined && fact !== null && fact !== '').join(' · '));
  const signature = list.signature?.(record);
  if (list.actions === undefined || signature === row.signature) return;
  const focused = row.actions.contains(document.activeElement);
  row.signature = signature;
  row.actions.replaceChildren(...list.actions(record));
  if (focused) row.summary.focus();
}

/** Puts the rows into the order of the records, moving as few as can be, and keeps the focus where it is. */
function showRows(card, records, view, first) {
  const list = LISTS[card.name];
  const focused = document.activeElement;
  const within = card.rows.contains(focused);
  const wanted = new Set(records.map(({ id }) => id));
  for (const [id, row] of card.known) {
    if (wanted.has(id)) continue;
    row.element.remove();
    card.known.delete(id);
  }
  let next = card.rows.firstElementChild;
  for (const record of records) {
    let row = card.known.get(record.id);
    if (row === undefined) {
      row = makeRow(list);
      card.known.set(record.id, row);
      if (!first) row.element.classList.add('fresh');
    }
    showRow(row, record, list, view);
    if (row.element === next) next = next.nextElementSibling;
    else card.rows.insertBefore(row.element, next);
  }
  if (!within || card.rows.contains(document.activeElement)) return;
  if (focused.isConnected) focused.focus();
  else card.heading.focus();
}

function showCard(card, view, only, first) {
  const { name } = card;
  const records = view.lists[name];
  const visible = only === undefined || only === name;
  card.element.hidden = !visible;
  if (!visible || records === undefined) return;
  const total = view.counts[name];
  showRows(card, records, view, first);
  const pending = name === 'approvals' && total > 0 ? ', ' + view.counts.pendingApprovals + ' pending' : '';
  write(card.count, total.toLocaleString('en') + pending);
  const rest = total - records.length;
  card.more.hidden = rest <= 0;
  const key = rest + '/' + only;
  if (rest > 0 && card.restKey !== key) {
    const hidden = rest.toLocaleString('en') + ' more';
    const state = el('a', { href: BASE + '/_emulator/state' }, 'the whole state');
    card.more.replaceChildren(...(only === undefined ? [el('a', { href: '#' + name }, 'Show more ' + LISTS[name].title.toLowerCase()), ' (' + hidden + ')'] : ['The newest ' + records.length + ' are shown; ' + hidden + ' are in ', state]));
  }
  card.restKey = key;
  card.empty.hidden = total > 0;
  const sample = LISTS[name].sample;
  if (sample !== undefined && total === 0) {
    // In the overview one thing to do at a time: everything needs a user first, and then there is money to move.
    const firstSteps = view.counts.users === 0 ? ['users'] : ['approvals', 'transfers', 'onramps', 'accounts'];
    card.sample.hidden = only === undefined && !firstSteps.includes(name);
    write(card.sample, sample(view));
  }
}

function show(view, only) {
  const main = byId('main');
  main.className = only === undefined ? 'overview' : '';
  const first = cards.size === 0;
  for (const name of Object.keys(LISTS)) showCard(cards.get(name) ?? makeCard(name), view, only, first || shownBefore !== only);
  shownBefore = only;
  // Without a user nothing else can begin, so the users come first until there is one.
  const users = cards.get('users').element;
  const leads = view.counts.users === 0;
  if (leads !== (main.firstElementChild === users)) main.insertBefore(users, leads ? main.firstElementChild : cards.get('externalWallets').element);
  users.classList.toggle('wide', leads);
  for (const link of document.querySelectorAll('nav a')) {
    const name = link.hash.slice(1);
    const current = name === (only ?? 'overview');
    if (current !== link.hasAttribute('aria-current')) {
      if (current) {
        link.setAttribute('aria-current', 'page');
        link.scrollIntoView({ block: 'nearest', inline: 'nearest' });
        document.title = (only === undefined ? '' : LISTS[only].title + ' · ') + 'Payments emulator';
      }
      else link.removeAttribute('aria-current');
    }
    const count = link.querySelector('.count');
    if (count !== null) write(count, String(view.counts[name]));
    const urgent = link.querySelector('.urgent');
    if (urgent !== null) {
      urgent.hidden = view.counts.pendingApprovals === 0;
      write(urgent, view.counts.pendingApprovals + ' pending');
    }
  }
  const now = byId('now');
  now.setAttribute('datetime', view.now);
  write(now, view.now.slice(0, 19).replace('T', ' ') + ' UTC');
  write(byId('clock-state'), view.frozen ? 'stands still' : 'is running');
  write(byId('freeze'), view.frozen ? 'Resume' : 'Freeze');
  frozen = view.frozen;
  write(byId('seed'), view.seed);
}

let frozen = false;
let shownBefore;
let timer;
let looking;

/** Looks now, and then every second for as long as somebody can see the page. */
async function look() {
  clearTimeout(timer);
  looking?.abort();
  const mine = new AbortController();
  looking = mine;
  const only = shownList();
  let wait = 1000;
  try {
    const query = only === undefined ? '?newest=' + OVERVIEW : '?newest=' + NEWEST + '&list=' + only;
    const signal = AbortSignal.any([mine.signal, AbortSignal.timeout(10000)]);
    const response = await fetch(BASE + '/_emulator/view' + query, { signal });
    if (!response.ok) throw new Error('The emulator answered ' + response.status);
    const view = await response.json();
    if (mine.signal.aborted) return;
    show(view, only);
    byId('lost').hidden = true;
    write(byId('lost'), '');
  } catch (error) {
    if (mine.signal.aborted) return;
    byId('lost').hidden = false;
    write(byId('lost'), 'The emulator does not answer. What you see is how it was; the page tries again by itself.');
    wait = 3000;
  }
  if (!document.hidden) timer = setTimeout(look, wait);
}

document.addEventListener('visibilitychange', () => {
  clearTimeout(timer);
  if (!document.hidden) look();
});
addEventListener('hashchange', () => {
  if (location.hash !== '#main') look();
});
`;
