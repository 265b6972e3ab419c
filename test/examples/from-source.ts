/** For child processes: `stablecoin-payments` is the source of this checkout, so that no build is needed. */
import { registerHooks } from 'node:module';

const entries: Readonly<Record<string, string>> = {
  'stablecoin-payments': 'index.ts',
  'stablecoin-payments/webhooks': 'webhooks/index.ts',
};

registerHooks({
  resolve: (specifier, context, next) => {
    const entry = entries[specifier];
    return entry === undefined
      ? next(specifier, context)
      : next(new URL(`../../src/${entry}`, import.meta.url).href, context);
  },
});
