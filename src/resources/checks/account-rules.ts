import type { InvalidRequestError } from '../../errors/index.ts';
import {
  checkParams,
  fault,
  oneOf,
  optional,
  type Rule,
  type Rules,
  readPath,
  requiredObject,
  requiredText,
} from './rules.ts';

const common: Rules = {
  rail: oneOf('onramp'),
  type: oneOf('us', 'africa'),
  accountHolder: requiredObject,
  'accountHolder.type': oneOf('individual', 'business'),
  'accountHolder.name': requiredText,
  'accountHolder.phone': requiredText,
  'accountHolder.email': requiredText,
  'accountHolder.address': requiredObject,
  'accountHolder.address.addressLine1': requiredText,
  'accountHolder.address.addressLine2': optional((value) =>
    value === null ? undefined : textOrEmpty(value),
  ),
  'accountHolder.address.city': requiredText,
  'accountHolder.address.stateProvinceRegion': requiredText,
  'accountHolder.address.postalCode': requiredText,
  'accountHolder.address.country': requiredText,
};

const regions = {
  us: {
    us: requiredObject,
    'us.transferType': oneOf('ach', 'wire'),
    'us.accountType': oneOf('checking', 'savings'),
    'us.accountNumber': requiredText,
    'us.routingNumber': requiredText,
    'us.bankName': requiredText,
    'us.currency': oneOf('usd'),
  },
  africa: {
    africa: requiredObject,
    'africa.financialInstitute': requiredText,
    'africa.accountType': oneOf('momo', 'bank'),
    'africa.accountNumber': requiredText,
    'africa.currency': requiredText,
    'africa.country': requiredText,
  },
} as const satisfies Record<string, Rules>;

/** Holds a new account to what the spec requires of its region, and of no other. */
export function checkAccount(operation: string, params: unknown): InvalidRequestError | undefined {
  const problem = checkParams(operation, params, common);
  if (problem !== undefined) return problem;
  const type = readPath(params, 'type') === 'us' ? 'us' : 'africa';
  const other = type === 'us' ? 'africa' : 'us';
  if (readPath(params, other) !== undefined) {
    return fault(operation, other, `\`${other}\` does not go with \`type: '${type}'\``);
  }
  return checkParams(operation, params, regions[type]);
}

const textOrEmpty: Rule = (value) => (typeof value === 'string' ? undefined : requiredText(value));
