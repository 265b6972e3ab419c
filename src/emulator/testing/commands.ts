import * as z from 'zod/mini';
import { nearestName } from '../../shared/option-names.ts';
import { flag } from '../../shared/schema/schema.ts';
import { onrampWire } from '../dialect/payments.ts';
import { invalidField } from '../problem.ts';
import {
  amountField,
  check,
  nothing,
  numberOrText,
  objectField,
  oneOfTexts,
  positiveText,
  requireId,
  textField,
  wholeNumberBetween,
} from '../reading/check.ts';
import { durationOr } from '../reading/options.ts';
import { decisionBodies } from '../reading/payment-bodies.ts';
import { validateAccount } from '../service/accounts.ts';
import { catchUp } from '../service/due-tasks.ts';
import { advanceOnramp, simulateDeposit } from '../service/onramps/onramp-steps.ts';
import { acceptOnrampQuote } from '../service/onramps/onramps.ts';
import { ONRAMP_STATUSES } from '../service/records/onramp.ts';
import { ACCOUNT_STATUSES } from '../service/records/users.ts';
import { createMetric } from '../service/reporting/metrics.ts';
import { decideApproval } from '../service/transfers/approvals.ts';
import { setBalance } from '../service/transfers/balances.ts';
import { acceptTransferQuote } from '../service/transfers/execution.ts';
import { addExternalWallet } from '../service/transfers/wallets.ts';
import { createUser } from '../service/users.ts';
import { balanceState } from '../state/emulator-state.ts';
import { FAULT_KINDS, type FaultKind, type FaultList, type FaultSpec } from '../state/faults.ts';
import type { World } from '../state/world.ts';

function listField<S extends z.ZodMiniType>(item: S, what: string, max: number) {
  return z
    .array(item, { error: `must be a list of ${what}` })
    .check(z.maxLength(max, { error: `has more than ${max} entries` }));
}
const textsField = listField(textField, 'texts', 1000);

const newUser = objectField({
  rails: z.optional(listField(oneOfTexts(['usd', 'africa']), 'rails', 10)),
  kyc: z.optional(z.record(z.string(), z.unknown(), { error: 'must be an object' })),
  externalWallets: z.optional(wholeNumberBetween(0, 100)),
});
const newMetric = objectField({
  name: z.optional(textField),
  template: z.optional(textField),
  calculationInterval: z.optional(oneOfTexts(['day', 'week', 'month', 'quarter', 'year'])),
  breakdowns: z.optional(listField(textField, 'dimensions', 5)),
  rows: z.optional(listField(z.looseObject({ periodStart: textField }), 'rows with a periodStart', 10_000)),
});
const newWallet = objectField({
  userId: textField,
  address: z.optional(textField),
  chain: z.optional(textField),
  name: z.optional(textField),
  referenceId: z.optional(textField),
});
const newBalance = objectField({
  userId: textField,
  currency: textField,
  chain: textField,
  amount: z.nullable(
    numberOrText("must be a number of at least 0, a decimal text such as '12.50', or null for unlimited"),
  ),
});
const onrampChange = objectField({
  status: oneOfTexts(ONRAMP_STATUSES),
  error: z.nullish(textField),
  errorDetails: z.nullish(textField),
});
const depositError = "must be a finite number greater than 0, or a decimal text such as '12.50'";
const deposit = objectField({
  amount: z.optional(z.union([amountField, positiveText(depositError)], { error: depositError })),
  reference: z.optional(textField),
});
const validation = objectField({
  status: oneOfTexts(ACCOUNT_STATUSES),
  invalidFields: z.nullish(textsField),
});
const newFault = objectField({
  operation: z.optional(textField),
  kind: oneOfTexts(FAULT_KINDS),
  times: z.optional(wholeNumberBetween(1, 1_000_000)),
  latency: z.optional(wholeNumberBetween(0, 600_000)),
  status: z.optional(wholeNumberBetween(300, 599)),
  retryAfter: z.optional(
    z.custom<number | string>(
      (value) =>
        typeof value === 'number'
          ? value >= 0 && value <= 1e9
          : typeof value === 'string' && /^[\x20-\x7e]{1,100}$/.test(value),
      { error: 'must be seconds, or a date as HTTP writes it' },
    ),
  ),
  commit: z.optional(flag()),
  field: z.optional(textField),
});
const release = objectField({
  order: z.optional(oneOfTexts(['as-emitted', 'reversed', 'shuffled'])),
  copies: z.optional(wholeNumberBetween(1, 10)),
});
const whichFaults = objectField({
  operation: z.optional(textField),
  kind: z.optional(oneOfTexts(FAULT_KINDS)),
});

/** The kinds of faults that a field of a fault has an effect on. */
const EFFECTS: Partial<Record<keyof FaultSpec, readonly FaultKind[]>> = {
  status: ['status'],
  retryAfter: ['status'],
  commit: ['status'],
  field: ['unknown-enum', 'missing-field', 'wrong-type'],
};

/** Refuses a field of a fault that its kind would ignore. */
function refuseIdleFields(fault: FaultSpec): void {
  for (const [field, kinds] of Object.entries(EFFECTS)) {
    if (Reflect.get(fault, field) === undefined || kinds.includes(fault.kind)) continue;
    throw invalidField(field, `has no effect on the kind '${fault.kind}', only on ${kinds.join(', ')}`);
  }
}
const clockChange = objectField({
  advance: z.optional(durationOr()),
  frozen: z.optional(flag()),
});

/**
 * Test helpers. The emulator's methods and its HTTP routes use the same functions. Invalid arguments throw an error
 * that names the field, the same for both.
 */
export function createCommands(world: World, faults: FaultList, operations: () => readonly string[]) {
  /** A command of checked parameters, which returns a copy. What is due happens before it. */
  const command =
    <S extends z.ZodMiniType, R>(schema: S, run: (params: z.output<S>) => R) =>
    (params: unknown = {}): R => {
      const checked = check(schema, params);
      catchUp(world);
      return structuredClone(run(checked));
    };
  /** A command about a record. */
  const commandOn =
    <S extends z.ZodMiniType, R>(schema: S, run: (id: string, params: z.output<S>) => R) =>
    (id: string, params: unknown = {}): R => {
      requireId(id);
      return command(schema, (checked) => run(id, checked))(params);
    };
  const requireOperation = (operation = '*'): void => {
    const known = ['*', ...operations()];
    if (known.includes(operation)) return;
    const meant = nearestName(operation, known);
    const hint = meant === undefined ? '' : `; did you mean '${meant}'?`;
    throw invalidField(
      'operation',
      `is not '*', an operation such as 'onramps.create' or one that was added${hint}`,
    );
  };
  const decide = (decision: 'APPROVED' | 'REJECTED') =>
    commandOn(decisionBodies[decision], (id, words) =>
      decideApproval(world, id, decision, words?.comment ?? words?.reason),
    );
  return {
    /** Those that are methods of the emulator. */
    methods: {
      approve: decide('APPROVED'),
      reject: decide('REJECTED'),
      createUser: command(newUser, ({ externalWallets = 3, ...user }) => {
        const { userId, rails, kycInfo } = createUser(world, user);
        for (let count = 0; count < externalWallets; count += 1) addExternalWallet(world, { userId });
        return { id: userId, userId, rails, kycInfo };
      }),
      createMetric: command(newMetric, (metric) => createMetric(world, metric)),
      addExternalWallet: command(newWallet, (wallet) => addExternalWallet(world, wallet)),
      setBalance: command(newBalance, (balance) => {
        const set = setBalance(world, balance);
        return set === null ? null : balanceState(set);
      }),
      acceptQuote: commandOn(nothing, (id) => {
        if (world.onramps.get(id) !== undefined)
          return onrampWire(world.dialect, acceptOnrampQuote(world, id));
        const { transferType, transferDetails } = acceptTransferQuote(world, id);
        return { transferType, transferDetails };
      }),
      advanceOnramp: commandOn(onrampChange, (id, change) =>
        onrampWire(world.dialect, advanceOnramp(world, id, change)),
      ),
      simulateDeposit: commandOn(deposit, (id, paid) =>
        onrampWire(world.dialect, simulateDeposit(world, id, paid)),
      ),
      validateAccount: commandOn(validation, (id, verdict) => validateAccount(world, id, verdict)),
    },
    injectFault: command(newFault, (fault) => {
      requireOperation(fault.operation);
      refuseIdleFields(fault);
      return faults.inject(fault);
    }),
    clearFaults: command(whichFaults, (which) => {
      requireOperation(which.operation);
      return faults.clear(which);
    }),
    changeClock: command(clockChange, ({ advance, frozen }) => {
      const { clock } = world;
      if (frozen === true) clock.freeze();
      if (frozen === false) clock.resume();
      if (advance === undefined) return;
      try {
        clock.advance(advance);
      } catch (error) {
        if (error instanceof RangeError) throw invalidField('advance', error.message);
        throw error;
      }
    }),
    releaseEvents: command(release, (how) => world.events.release(how)),
  };
}

export type Commands = ReturnType<typeof createCommands>;
