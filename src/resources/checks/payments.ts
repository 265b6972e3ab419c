import type { InvalidRequestError } from '../../errors/index.ts';
import { isRecord } from '../../transport/kind.ts';
import { checkSpelling } from './near-misses.ts';
import {
  checkEither,
  checkParams,
  fault,
  optional,
  positiveDecimal,
  type Rules,
  readPath,
  requiredText,
  trueOrFalse,
} from './rules.ts';

/** A body that was copied into plain data. */
export type Body = Readonly<Record<string, unknown>>;

/** Gives the first problem that one of several checks finds. */
export function firstProblem(
  ...checks: readonly (() => InvalidRequestError | undefined)[]
): InvalidRequestError | undefined {
  for (const check of checks) {
    const problem = check();
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Checks the body of a payment by the rules of its fields, after the spelling of the fields that keep money safe. */
export function checkPayment(operation: string, body: Body, rules: Rules): InvalidRequestError | undefined {
  return checkSpelling(operation, body) ?? checkParams(operation, body, rules);
}

/** Services take amounts at different places, and as numbers or text, where the spec shows no body. */
const unshownRules: Rules = {
  requireApproval: optional(trueOrFalse),
  amount: unlessAbsent,
  'source.amount': unlessAbsent,
  'destination.amount': unlessAbsent,
};

/** Checks what is certain about a body that the spec does not show. */
function checkUnshownPayment(operation: string, body: Body): InvalidRequestError | undefined {
  return checkPayment(operation, body, unshownRules);
}

/** Checks a bridge. */
export const checkBridge = (body: Body) => checkUnshownPayment('bridges.create', body);

/** Checks an offramp: somebody pays, and one of the two amounts is known. */
export function checkOfframp(body: Body): InvalidRequestError | undefined {
  const operation = 'offramps.create';
  return firstProblem(
    () => checkUnshownPayment(operation, body),
    () =>
      readPath(body, 'amount') === undefined
        ? checkEither(operation, body, ['source.amount', 'destination.amount'], positiveDecimal)
        : undefined,
    () => checkEither(operation, body, ['source.userId', 'source.externalWalletId'], requiredText),
  );
}

/** The service's limit for a batch. */
const largestBatch = 50;

const usualNames = ['recipients', 'batch', 'destinations', 'transfers', 'payouts', 'payments', 'items'];

/** Checks a batch: at most 50 recipients, each with an amount above 0 and somebody to pay. */
export function checkBatch(body: Body): InvalidRequestError | undefined {
  const operation = 'transfers.createBatch';
  const problem = checkUnshownPayment(operation, body);
  const recipients = problem === undefined ? findRecipients(body) : undefined;
  if (recipients === undefined) return problem;
  const { path, items } = recipients;
  if (items.length === 0) {
    return fault(operation, path, `\`${path}\` must hold at least one recipient, but is empty`);
  }
  if (items.length > largestBatch) {
    const rule = `must hold at most ${largestBatch} recipients, but holds ${items.length}; split it into several batches`;
    return fault(operation, path, `\`${path}\` ${rule}`);
  }
  return firstProblem(
    ...items.map((item, index) => () => checkAmountOf(operation, body, item, `${path}[${index}]`)),
    ...(path === 'destination.batch' ? items : []).map(
      (item, index) => () => checkPayee(operation, item, `${path}[${index}]`),
    ),
  );
}

function checkAmountOf(operation: string, body: Body, item: unknown, path: string) {
  const amount = readPath(item, 'amount');
  // One amount for all may be at the top, and a list under another name may name the amount otherwise.
  if (amount === undefined && (body.amount !== undefined || !path.startsWith('destination.batch'))) return;
  const why = positiveDecimal(amount);
  return why === undefined ? undefined : fault(operation, `${path}.amount`, `\`${path}.amount\` ${why}`);
}

function checkPayee(operation: string, item: unknown, path: string): InvalidRequestError | undefined {
  const problem = checkEither(operation, item, ['userId', 'walletAddress'], requiredText);
  return problem === undefined
    ? undefined
    : fault(
        operation,
        `${path}.${problem.field}`,
        `\`${path}\` must have a \`userId\` or a \`walletAddress\` that is a non-empty string`,
      );
}

/** Finds the recipients under the usual names of their list; undefined when it is not recognized. */
function findRecipients(body: Body): { path: string; items: readonly unknown[] } | undefined {
  const paths = ['destination.batch', ...usualNames, 'destination', ...usualNames.map(inDestination)];
  for (const path of paths) {
    const value = readPath(body, path);
    if (Array.isArray(value)) return { path, items: value };
  }
  return undefined;
}

const inDestination = (name: string) => `destination.${name}`;

function unlessAbsent(value: unknown): string | undefined {
  return value === undefined || value === null || isRecord(value) ? undefined : positiveDecimal(value);
}
