import type { DialectOptions } from '../../src/emulator/index.ts';

/**
 * The decisions that programs without options of their own are about, by the group that PAYMENTS_DIALECT_GROUP names. They
 * stand over the dialect of the run; every other decision is that of the run.
 */
export const PINNED: Readonly<Record<string, DialectOptions>> = {
  // They send one requestId again after a lost response, decide by one vote, and name the parameter of a cursor and the
  // scheme of a webhook.
  snippets: {
    duplicates: 'replay',
    votesNeeded: 1,
    webhookScheme: 'standard-webhooks',
  },
  // It shows the statuses, the deposit instructions and the single vote that the description has.
  quickstart: { accountForm: 'status', acceptQuotes: [], votesNeeded: 1 },
};
