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
      'test/client/parameters/closed.test.ts',
    ],
  },
  verifiers: {
    mutate: ['src/webhooks/schemes/**/*.ts'],
    tests: [
      'test/webhooks/schemes/**/*.test.ts',
      'test/webhooks/{closed-options,bad-input,forms,replays}.test.ts',
    ],
  },
  payouts: {
    mutate: ['src/payouts/rules/**/*.ts'],
    tests: [
      'test/payouts/{rules,steps,orders,calls,checks,lookups,records,messages,late-evidence,went-back-rules}.test.ts',
      'test/payouts/message-of-event.test.ts',
    ],
  },
  'call-connection': {
    mutate: ['src/client/call/connection-failure.ts'],
    tests: ['test/client/network-codes.test.ts', 'test/outcomes/connection-reasons.test.ts'],
  },
  'call-retry': {
    mutate: ['src/client/call/retry.ts'],
    tests: [
      'test/client/{retries,retry-after-date,network-codes}.test.ts',
      'test/outcomes/error-details.test.ts',
    ],
  },
  'call-response': {
    mutate: ['src/client/call/read-response.ts'],
    tests: [
      'test/client/{response-validation,reading,as-response}.test.ts',
      'test/outcomes/{error-details,own-operations}.test.ts',
    ],
  },
  'call-error': {
    mutate: ['src/client/call/{failure,failure-words,meaning}.ts'],
    tests: [
      'test/client/{service-errors,errors,foreign-errors,network-codes,approval-ids}.test.ts',
      'test/outcomes/{error-details,connection-reasons,keys/open}.test.ts',
    ],
  },
  'call-words': {
    mutate: ['src/client/call/{service-words,mask}.ts'],
    tests: [
      'test/client/{service-errors,error-shapes,call/mask}.test.ts',
      'test/outcomes/error-details.test.ts',
      'test/redaction/spellings.test.ts',
    ],
  },
  'call-address': {
    mutate: ['src/client/call/url.ts'],
    tests: ['test/client/parameters/addresses.test.ts'],
  },
  'call-headers': {
    mutate: ['src/client/call/headers.ts'],
    tests: ['test/client/{options/call,parameters/key-headers,calls}.test.ts'],
  },
  'call-body': {
    mutate: ['src/client/call/{body,parameter-fault}.ts'],
    tests: [
      'test/client/parameters/{json,closed,extra-body,sentences,amounts}.test.ts',
      'test/client/{request,bodies/custom}.test.ts',
      'test/shared/inherited-names.test.ts',
    ],
  },
  'call-prepared': {
    mutate: ['src/client/call/prepare.ts'],
    tests: [
      'test/client/{options/call,parameters/key-headers}.test.ts',
      'test/client/{calls,bodies/custom,hooks,own-properties,request,time}.test.ts',
      'test/outcomes/keys/{before-sending,ids,in-doubt,open,reused}.test.ts',
    ],
  },
  'call-options': {
    mutate: ['src/client/call/call-options.ts'],
    tests: ['test/client/options/*.test.ts', 'test/shared/inherited-names.test.ts'],
  },
  'call-start': {
    mutate: ['src/client/call/call.ts'],
    tests: [
      'test/client/{calls,bodies/custom,own-properties,as-response,response-validation}.test.ts',
      'test/client/pagination/{cursor-walks,deadline}.test.ts',
      'test/outcomes/keys/{before-sending,ids,in-doubt,open,reused}.test.ts',
      'test/shared/inherited-names.test.ts',
    ],
  },
  'call-attempts': {
    mutate: ['src/client/call/attempts.ts'],
    tests: [
      'test/client/{credentials,foreign-errors,hooks,bodies/responses-of-libraries,retries,time}.test.ts',
      'test/client/parameters/key-headers.test.ts',
      'test/outcomes/{error-details,framework-signals}.test.ts',
      'test/outcomes/keys/{before-sending,ids,in-doubt,open,reused}.test.ts',
    ],
  },
  'call-credentials': {
    mutate: ['src/client/call/credentials.ts'],
    tests: [
      'test/client/{credentials,foreign-errors,retries,time}.test.ts',
      'test/outcomes/error-details.test.ts',
    ],
  },
  'call-hooks': {
    mutate: ['src/client/call/hooks.ts', 'src/client/logger.ts'],
    tests: [
      'test/client/{hooks,response-validation,trace-id,retries}.test.ts',
      'test/client/{options/call,options/client,parameters/key-headers}.test.ts',
    ],
  },
  'call-promise': {
    mutate: ['src/client/call/api-promise.ts'],
    tests: ['test/client/{calls,reading,as-response,own-properties,bodies/large}.test.ts'],
  },
  'call-limits': {
    mutate: ['src/client/call/limits.ts'],
    tests: ['test/client/{time,retries}.test.ts', 'test/client/wire/{dispatcher,ky-platform}.test.ts'],
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
