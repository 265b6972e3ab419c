/** The controls beside the records: clock, users, faults and reset. */
export const HAND = String.raw`
function advanceBy(text) {
  return ['POST', '/clock', { advance: text }, (answer) => 'It is now ' + when(answer.now) + ' UTC'];
}

const freeze = commandButton('Freeze', undefined, '', () => ['POST', '/clock', { frozen: !frozen }, (answer) => (answer.frozen ? 'The clock stands still' : 'The clock is running')]);
freeze.id = 'freeze';
byId('clock').append(
  el('div', { class: 'buttons' },
    commandButton('+1 h', 'Advance the clock by 1 hour', '', () => advanceBy('1h')),
    commandButton('+1 d', 'Advance the clock by 1 day', '', () => advanceBy('1d')),
    commandButton('+7 d', 'Advance the clock by 7 days', '', () => advanceBy('7d')),
    freeze),
);
const period = el('input', { required: true, autocomplete: 'off', placeholder: '25h', pattern: '\\s*\\d+(\\.\\d+)?(ms|s|m|h|d|w)\\s*', title: 'A number and ms, s, m, h, d or w, such as 25h' });
byId('clock').append(commandForm([field('Advance by, like 25h', period)], 'Advance', 'Advance the clock', '', () => advanceBy(period.value.trim())));

const rails = ['usd', 'africa'].map((rail) => {
  const box = el('input', { type: 'checkbox', value: rail, checked: true });
  return { box, label: el('label', { class: 'check' }, box, rail) };
});
byId('user').append(
  commandForm([el('fieldset', {}, el('legend', {}, 'Active rails'), ...rails.map(({ label }) => label))], 'Create a user', undefined, 'main', () => {
    const chosen = rails.filter(({ box }) => box.checked).map(({ box }) => box.value);
    return ['POST', '/users', { rails: chosen }, (answer) => 'Created user ' + answer.userId];
  }),
);

function whole(label, control) {
  const row = field(label, control);
  row.classList.add('whole');
  return row;
}

const operation = el('select', {}, el('option', { value: '*' }, 'every operation'), ...choice(FACTS.operations));
const kind = el('select', {}, ...choice(FACTS.faultKinds));
const times = el('input', { type: 'number', min: 1, max: 1000000, value: 1, required: true });
const latency = el('input', { type: 'number', min: 0, max: 600000, placeholder: '0' });
const code = el('input', { type: 'number', min: 300, max: 599, placeholder: '500' });
const retryAfter = el('input', { type: 'number', min: 0, placeholder: 'none' });
const onlyStatus = [field('Status', code), field('Retry-After in seconds', retryAfter)];
const suit = () => { for (const label of onlyStatus) label.hidden = kind.value !== 'status'; };
kind.addEventListener('change', suit);
suit();
const injection = commandForm([whole('Operation', operation), whole('Kind', kind), field('Times', times), field('Late by (ms)', latency), ...onlyStatus], 'Inject the fault', undefined, 'main', () => {
  const body = { operation: operation.value, kind: kind.value, times: times.valueAsNumber };
  if (latency.value !== '') Object.assign(body, { latency: latency.valueAsNumber });
  if (kind.value === 'status' && code.value !== '') Object.assign(body, { status: code.valueAsNumber });
  if (kind.value === 'status' && retryAfter.value !== '') Object.assign(body, { retryAfter: retryAfter.valueAsNumber });
  return ['POST', '/faults', body, (answer) => 'Injected ' + answer.kind + ' on ' + (answer.operation === '*' ? 'every operation' : answer.operation)];
});
injection.append(commandButton('Clear all', 'Clear all faults', '', () => ['DELETE', '/faults', {}, (answer) => 'Cleared ' + answer.cleared + ' faults']));
byId('fault').append(injection);

const sure = byId('sure');
const reset = commandButton('Reset everything', undefined, 'danger', () => {
  sure.close();
  return ['POST', '/reset', {}, () => 'The emulator starts anew'];
});
byId('confirm').append(el('button', { type: 'button', autofocus: true, onclick: () => sure.close() }, 'Keep it'), reset);
byId('reset').addEventListener('click', () => sure.showModal());

for (const panel of document.querySelectorAll('.hand > details')) panel.open = matchMedia('(min-width: 62rem)').matches;
byId('skip').addEventListener('click', (event) => {
  event.preventDefault();
  byId('main').focus();
});
look();
`;
