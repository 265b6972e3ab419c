import { FAULT_KINDS, OPERATIONS } from '../../http/faults.ts';
import { ACCOUNT_STATUSES, ONRAMP_STATUSES } from '../../service/records/index.ts';
import { COMMANDS } from './commands.ts';
import { HAND } from './controls.ts';
import { DOM } from './dom.ts';
import { LISTS_SCRIPT } from './lists.ts';
import { LIVE } from './live.ts';

/** What the page may choose from, so that its lists are those of the emulator. */
const FACTS = {
  operations: OPERATIONS,
  faultKinds: FAULT_KINDS,
  onrampStatuses: ONRAMP_STATUSES,
  accountStatuses: ACCOUNT_STATUSES,
};

/** The page's script: one module of plain browser JavaScript, with nothing to load and nothing to build. */
export const SCRIPT = [
  `const FACTS = ${JSON.stringify(FACTS)};`,
  DOM,
  COMMANDS,
  LISTS_SCRIPT,
  LIVE,
  HAND,
].join('');
