/** Asking the emulator to do something, and telling what came of it. */
export const COMMANDS = String.raw`
// Wherever the emulator is mounted, its routes stand beside its page.
const BASE = location.pathname.replace(/\/_emulator\/?$/, '');

async function send(method, path, body) {
  const init = { method, signal: AbortSignal.timeout(10000) };
  if (body !== undefined) Object.assign(init, { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });
  const response = await fetch(BASE + '/_emulator' + path, init);
  const answer = await response.json();
  if (response.ok) return answer;
  throw new Error(answer.error?.message ?? answer.errorDetails ?? 'The emulator answered ' + response.status);
}

/** Runs a command once at a time; its button keeps the focus meanwhile. */
async function run(button, method, path, body, tell) {
  if (button.getAttribute('aria-busy') === 'true') return;
  button.setAttribute('aria-busy', 'true');
  try {
    const answer = await send(method, path, body);
    say(tell(answer), false);
  } catch (error) {
    const silent = error.name === 'TypeError' || error.name === 'TimeoutError';
    say('That did not work: ' + (silent ? 'the emulator does not answer' : error.message), true);
  } finally {
    button.removeAttribute('aria-busy');
    look();
  }
}

function commandButton(label, name, kind, command) {
  const button = el('button', { type: 'button', class: kind, 'aria-label': name }, label);
  button.addEventListener('click', () => { const [method, path, body, tell] = command(); run(button, method, path, body, tell); });
  return button;
}

/** A form whose only button sends it, by Enter as well. */
function commandForm(fields, label, name, kind, command) {
  const button = el('button', { class: kind, 'aria-label': name }, label);
  const form = el('form', {}, ...fields, button);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const [method, path, body, tell] = command();
    run(button, method, path, body, tell);
  });
  return form;
}

function folded(label, ...children) {
  return el('details', {}, el('summary', {}, label), ...children);
}

const FUNDABLE = ['OPEN_QUOTE', 'AWAITING_FUNDS', 'FIAT_INITIATED'];

function approvalActions(approval) {
  if (approval.status !== 'PENDING') return [];
  const name = ' transfer ' + short(approval.transferId);
  const comment = el('input', { maxlength: 1000, autocomplete: 'off' });
  const vote = (verb, done) => () => {
    const body = comment.value === '' ? {} : { comment: comment.value };
    return ['POST', '/approvals/' + approval.id + '/' + verb, body, () => done + name];
  };
  const approve = commandButton('Approve', 'Approve' + name, 'main', vote('approve', 'Approved'));
  const reject = commandButton('Reject', 'Reject' + name, 'danger', vote('reject', 'Rejected'));
  return [el('div', { class: 'buttons' }, approve, reject), folded('With a comment…', field('Comment', comment))];
}

function onrampActions(onramp) {
  const { status, source } = onramp.transferDetails;
  const name = ' onramp ' + short(onramp.id);
  const tell = (answer) => 'Onramp ' + short(onramp.id) + ' is now ' + answer.transferDetails.status;
  const actions = [];
  if (FUNDABLE.includes(status)) {
    const amount = el('input', { type: 'number', step: 'any', min: 0, required: true, inputmode: 'decimal', value: source.amount });
    actions.push(commandForm([field('Deposit in ' + source.currency, amount)], 'Deposit', 'Deposit into' + name, 'main', () => {
      return ['POST', '/onramps/' + onramp.id + '/deposit', { amount: amount.valueAsNumber }, tell];
    }));
  }
  const next = el('select', {}, ...choice(FACTS.onrampStatuses, status));
  const error = el('input', { autocomplete: 'off', placeholder: 'AMOUNT_TOO_LOW' });
  const details = el('input', { autocomplete: 'off' });
  const fields = [field('Status', next), field('Error (optional)', error), field('Details (optional)', details)];
  actions.push(folded('Advance…', commandForm(fields, 'Set the status', 'Set the status of' + name, '', () => {
    const body = { status: next.value, error: error.value || null, errorDetails: details.value || null };
    return ['POST', '/onramps/' + onramp.id + '/advance', body, tell];
  })));
  return actions;
}

function accountActions(account) {
  const name = ' account ' + short(account.id);
  const status = el('select', {}, ...choice(FACTS.accountStatuses, account.status === 'PENDING' ? 'ACTIVE' : account.status));
  const invalid = el('input', { autocomplete: 'off', placeholder: 'accountHolder.name' });
  const fields = [field('Result', status), field('Invalid fields, with commas', invalid)];
  return [folded('Validate…', commandForm(fields, 'Validate', 'Validate' + name, 'main', () => {
    const invalidFields = invalid.value.split(',').map((part) => part.trim()).filter((part) => part !== '');
    const body = { status: status.value, invalidFields };
    return ['POST', '/accounts/' + account.id + '/validate', body, (answer) => 'Account ' + short(account.id) + ' is now ' + answer.status];
  }))];
}

function eventActions(event) {
  return [el('div', { class: 'buttons' }, commandButton('Resend', 'Resend event ' + short(event.id), '', () => {
    return ['POST', '/events/' + event.id + '/redeliver', {}, () => 'Resent ' + event.eventType];
  }))];
}

function faultActions(fault) {
  const { operation, kind } = fault;
  return [el('div', { class: 'buttons' }, commandButton('Clear', 'Clear ' + kind + ' on ' + operation, '', () => {
    return ['DELETE', '/faults', { operation, kind }, (answer) => 'Cleared ' + answer.cleared + ' of ' + kind + ' on ' + operation];
  }))];
}
`;
