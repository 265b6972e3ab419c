import type { DialectOptions } from '../../src/emulator/index.ts';

/**
 * The decisions that a program is about, by the name of its snippet. They stand over the dialect of the run; every other
 * decision is that of the run.
 */
export const PINNED: Readonly<Record<string, DialectOptions>> = {
  // A lost response is followed by the same requestId, which gets the first response again.
  README_md_1: { duplicates: 'replay' },
  'docs_guides_retries-and-idempotency_md_1': { duplicates: 'replay' },
  docs_guides_testing_md_5: { duplicates: 'replay' },
  // It names the parameter of the cursor.
  'docs_guides_external-wallets_md_1': { cursorParam: 'either', cursorStyle: 'createdAt' },
  // One vote decides.
  'docs_guides_transfers-and-approvals_md_1': { votesNeeded: 1 },
  'docs_guides_when-a-call-fails_md_1': { votesNeeded: 1 },
  // It shows the statuses, the deposit instructions and the single vote that the description has.
  quickstart: { accountForm: 'status', acceptQuotes: [], onrampStart: 'AWAITING_FUNDS', votesNeeded: 1 },
};
