import type { InvalidRequestError } from '../errors/index.ts';
import { checkParams, fault, optional, positiveAmount, type Rules, trueOrFalse } from './checks/rules.ts';

const rules: Rules = { requireApproval: optional(trueOrFalse) };

/** The rules for a body that the spec does not show: `requireApproval` is a boolean, every number called `amount` is one. */
export function checkUnshownTransfer(operation: string, params: unknown): InvalidRequestError | undefined {
  return checkParams(operation, params, rules) ?? checkAmounts(operation, params, '', 0);
}

function checkAmounts(
  operation: string,
  value: unknown,
  path: string,
  depth: number,
): InvalidRequestError | undefined {
  if (depth > 8 || typeof value !== 'object' || value === null) return undefined;
  const entries: [string, unknown][] = Array.isArray(value)
    ? value.map((item, index) => [`${path}[${index}]`, item])
    : Object.entries(value).map(([key, item]) => [path === '' ? key : `${path}.${key}`, item]);
  for (const [field, item] of entries) {
    // A service may take amounts as text; only a number can be held to a rule here.
    const why = /(^|\.)amount$/.test(field) && typeof item === 'number' ? positiveAmount(item) : undefined;
    const problem =
      why === undefined
        ? checkAmounts(operation, item, field, depth + 1)
        : fault(operation, field, `\`${field}\` ${why}`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
