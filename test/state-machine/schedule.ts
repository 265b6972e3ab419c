import fc from 'fast-check';

/** What one attempt meets on its way. */
const troubles = [
  'none',
  'reset-before-commit',
  'reset-after-commit',
  'cut-body',
  'malformed-json',
  '429',
  '500',
  '500 after commit',
  '503',
  '503 after commit',
  '503 with Retry-After',
  'maintenance page',
  'error under 200',
  'response of the call before',
  'refused connection',
  'failing token',
  '400',
  '400 unreadable',
  '401',
  '403',
  'in progress',
  // Answers of a gateway, after the service has acted.
  '503 with Retry-After after commit',
  '405 page after commit',
  '413 page after commit',
  '501 page after commit',
  '403 of a gateway after commit',
  '404 of a router after commit',
  '400 of a framework after commit',
] as const;
export type TroubleName = (typeof troubles)[number];

/** One step of a schedule. */
export type Step =
  | {
      do: 'pay';
      invoice: number;
      amount: number;
      shuffled: boolean;
      retries: number;
      troubles: TroubleName[];
      /** Whether a client that is derived from the client pays. */
      derived: boolean;
    }
  /** Without an id of the caller's. */
  | { do: 'pay once'; retries: number; troubles: TroubleName[] }
  /** The same call as the last one that failed, as a job makes it whose row says "in doubt". */
  | { do: 'again'; retries: number; troubles: TroubleName[] }
  | { do: 'hold'; retries: number }
  | { do: 'decide'; which: 'approve' | 'reject'; retries: number; troubles: TroubleName[] }
  /** Another client pays an invoice with the same id. */
  | { do: 'another actor'; invoice: number; amount: number }
  | { do: 'restart' };

/** How the service answers what is not documented. */
export interface Dialect {
  duplicates: 'replay' | 'refuse';
  /** The status and the body with which a known id is refused. */
  refusal: number;
  /** Whether the service remembers a key that it refused, and refuses it ever after as known. */
  keepsRefused: boolean;
  /** The dialect of the emulator. */
  name: 'spec' | 'field';
}

export interface Schedule {
  dialect: Dialect;
  steps: Step[];
}

const onTheWay = fc.array(fc.constantFrom(...troubles), { maxLength: 3 });
const retries = fc.nat({ max: 2 });
const invoice = fc.nat({ max: 1 });
const amount = fc.oneof({ weight: 4, arbitrary: fc.constant(25) }, { weight: 1, arbitrary: fc.constant(26) });

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('pay' as const),
      invoice,
      amount,
      shuffled: fc.boolean(),
      derived: fc.boolean(),
      retries,
      troubles: onTheWay,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('pay once' as const), retries, troubles: onTheWay }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('again' as const), retries, troubles: onTheWay }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('hold' as const), retries }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('decide' as const),
      which: fc.constantFrom('approve' as const, 'reject' as const),
      retries,
      troubles: onTheWay,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('another actor' as const), invoice, amount }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
);

export const schedule: fc.Arbitrary<Schedule> = fc.record({
  dialect: fc.record({
    duplicates: fc.constantFrom('replay' as const, 'refuse' as const),
    refusal: fc.nat({ max: 5 }),
    keepsRefused: fc.boolean(),
    name: fc.constantFrom('spec' as const, 'field' as const),
  }),
  steps: fc.array(step, { minLength: 1, maxLength: 8 }),
});
