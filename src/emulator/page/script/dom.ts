/** Making and keeping elements. Text arrives as text nodes only: nothing that a caller sent is read as markup. */
export const DOM = `
function el(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === false || value === undefined) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...children.filter((child) => child !== undefined && child !== null));
  return element;
}

function byId(id) {
  const element = document.getElementById(id);
  if (element === null) throw new Error('The page has no ' + id);
  return element;
}

/** Changes a text only where it differs, so that nothing is announced or repainted without need. */
function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function field(label, control) {
  return el('label', {}, label, control);
}

function choice(values, chosen) {
  return values.map((value) => el('option', { value, selected: value === chosen }, value));
}

function short(id) {
  return String(id ?? '').slice(0, 8);
}

function when(iso) {
  return typeof iso === 'string' ? iso.slice(0, 19).replace('T', ' ') : '';
}

/** What was done and what went wrong, for eyes and for screen readers. */
let hiding;
function say(text, bad) {
  clearTimeout(hiding);
  const box = byId('said');
  const close = el('button', { type: 'button', onclick: () => { box.replaceChildren(); } }, 'Close');
  box.setAttribute('role', bad ? 'alert' : 'status');
  box.setAttribute('aria-live', bad ? 'assertive' : 'polite');
  box.replaceChildren(el('div', { class: bad ? 'bad' : 'good' }, el('p', {}, text), close));
  if (!bad) hiding = setTimeout(() => { if (!box.contains(document.activeElement)) box.replaceChildren(); }, 8000);
}
`;
