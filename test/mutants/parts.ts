/** A part of the sources whose mutants are judged, and the tests that judge them. */
export interface Part {
  readonly mutate: readonly string[];
  /** Fast tests: each runs again for every mutant that it reaches. */
  readonly tests: readonly string[];
}

/** `npm run mutation` runs all parts, `npm run mutation -- pagination` one. */
export const parts: Readonly<Record<string, Part>> = {
  outcome: {
    mutate: ['src/shared/outcome/**/*.ts'],
    tests: ['test/shared/outcome/**/*.test.ts'],
  },
  keys: {
    mutate: ['src/client/call/open-keys.ts'],
    tests: ['test/client/call/open-keys.test.ts'],
  },
  pagination: {
    mutate: ['src/client/pagination/**/*.ts'],
    tests: [
      'test/client/pagination/{cursor-walks,offset-walks,pages,lists,received-lists,paginate,deadline}.test.ts',
    ],
  },
  verifiers: {
    mutate: ['src/webhooks/schemes/**/*.ts'],
    tests: ['test/webhooks/schemes/**/*.test.ts', 'test/webhooks/{closed-options,bad-input}.test.ts'],
  },
  payouts: {
    mutate: ['src/payouts/rules/**/*.ts'],
    tests: [
      'test/payouts/{rules,steps,orders,calls,lookups,records,messages,late-evidence}.test.ts',
      'test/payouts/message-of-event.test.ts',
    ],
  },
  call: {
    mutate: ['src/client/call/{retry,connection-failure,failure,judge}.ts'],
    tests: [
      'test/client/{retries,service-errors,errors,network-codes,response-validation,library-responses}.test.ts',
      'test/client/{retry-after-date,foreign-errors,reading,raw-body}.test.ts',
      'test/outcomes/{connection-reasons,error-details,refusals,success,key}.test.ts',
    ],
  },
};

/** The name of the part that a run of Stryker mutates, as mutation.ts gives it. */
export const partNameNow = (): string => process.env.PAYMENTS_MUTATED_PART ?? 'outcome';

/** The part that a run of Stryker mutates. */
export function partNow(): Part {
  const part = parts[partNameNow()];
  if (part === undefined) throw new Error(`There is no part ${partNameNow()}.`);
  return part;
}
