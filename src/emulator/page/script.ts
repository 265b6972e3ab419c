import { FAULT_KINDS, OPERATIONS } from '../faults.ts';
import { ACCOUNT_STATUSES, ONRAMP_STATUSES } from '../records.ts';
import { COMMANDS } from './script/commands.ts';
import { DOM } from './script/dom.ts';
import { HAND } from './script/hand.ts';
import { LISTS_SCRIPT } from './script/lists.ts';
import { LIVE } from './script/live.ts';

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
