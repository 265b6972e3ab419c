/** The client's entries, which share modules: `scripts/finish-build.ts` merges what `tsup.config.ts` builds of them. */
export const clientEntries = {
  index: 'src/index.ts',
  webhooks: 'src/webhooks/index.ts',
  opentelemetry: 'src/opentelemetry/index.ts',
  payouts: 'src/payouts/index.ts',
};

/**
 * Not in `exports`: they make the statuses, and the key with its hash, files of their own. Bundlers that keep whole files,
 * or the statements in them that run as they load, then drop them.
 */
export const innerEntries = {
  statuses: 'src/client/helpers/statuses.ts',
  'request-id': 'src/shared/request-id.ts',
};
