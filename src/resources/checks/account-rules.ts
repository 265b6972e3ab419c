import type { InvalidRequestError } from '../../errors/index.ts';
import { regionalAccountFields } from '../../schemas/account-regions.ts';
import { isRecord, valueAt } from '../../shared/values.ts';
import {
  checkEither,
  checkParams,
  fault,
  oneOf,
  optional,
  type Rules,
  requiredObject,
  requiredText,
  text,
} from './rules.ts';

const common: Rules = { rail: requiredText, type: requiredText, accountHolder: optional(requiredObject) };

const holder: Rules = {
  accountHolder: requiredObject,
  'accountHolder.type': oneOf('individual', 'business'),
  'accountHolder.name': requiredText,
  'accountHolder.phone': optional(requiredText),
  'accountHolder.email': optional(requiredText),
  'accountHolder.address': optional(requiredObject),
};

const usHolder: Rules = {
  ...holder,
  'accountHolder.address': requiredObject,
  'accountHolder.address.addressLine1': requiredText,
  'accountHolder.address.addressLine2': optional((value) => (value === null ? undefined : text(value))),
  'accountHolder.address.city': requiredText,
  'accountHolder.address.stateProvinceRegion': requiredText,
  'accountHolder.address.postalCode': requiredText,
  'accountHolder.address.country': requiredText,
};

const us: Rules = {
  us: requiredObject,
  'us.transferType': oneOf('ach', 'wire', 'swift'),
  'us.bankName': requiredText,
  'us.bankAddress': optional((value) => (isRecord(value) ? undefined : text(value))),
  'us.currency': optional(oneOf('usd')),
};

/** An account that is reached from abroad may have no kind. */
const usDomestic: Rules = { 'us.accountType': oneOf('checking', 'savings') };

const africa: Rules = {
  africa: requiredObject,
  'africa.financialInstitute': requiredText,
  'africa.accountType': oneOf('momo', 'bank'),
  'africa.accountNumber': optional(requiredText),
  'africa.currency': requiredText,
  'africa.country': requiredText,
};

/**
 * Holds a new account to what the spec requires of an onramp account in the US or in Africa. Of other rails and
 * regions only the object with the details is required: their fields are the service's own.
 */
export function checkAccount(
  operation: string,
  body: Readonly<Record<string, unknown>>,
): InvalidRequestError | undefined {
  const problem = checkParams(operation, body, common);
  if (problem !== undefined) return problem;
  const { rail, type } = body;
  if (type === 'us')
    return checkOtherRegion(operation, body, 'africa', type) ?? checkUs(operation, body, rail);
  if (type === 'africa')
    return checkOtherRegion(operation, body, 'us', type) ?? checkAfrica(operation, body, rail);
  // The details of a region that is not listed have a name of the service's own.
  const isListed = typeof type === 'string' && Object.hasOwn(regionalAccountFields, type);
  return isListed ? checkParams(operation, body, { [type]: requiredObject }) : undefined;
}

function checkUs(operation: string, body: object, rail: unknown): InvalidRequestError | undefined {
  if (rail !== 'onramp') return checkParams(operation, body, { us: requiredObject });
  const isDomestic = valueAt(body, 'us.swiftCode') === undefined && valueAt(body, 'us.iban') === undefined;
  return (
    checkParams(operation, body, usHolder) ??
    checkParams(operation, body, isDomestic ? { ...us, ...usDomestic } : us) ??
    checkEither(operation, body, ['us.accountNumber', 'us.iban'], requiredText) ??
    checkEither(operation, body, ['us.routingNumber', 'us.swiftCode'], requiredText)
  );
}

function checkAfrica(operation: string, body: object, rail: unknown): InvalidRequestError | undefined {
  if (rail !== 'onramp') return checkParams(operation, body, { africa: requiredObject });
  const hasHolder = valueAt(body, 'accountHolder') !== undefined;
  return (
    (hasHolder ? checkParams(operation, body, holder) : undefined) ?? checkParams(operation, body, africa)
  );
}

function checkOtherRegion(
  operation: string,
  body: object,
  other: string,
  type: string,
): InvalidRequestError | undefined {
  return valueAt(body, other) === undefined
    ? undefined
    : fault(operation, other, `\`${other}\` does not go with \`type: '${type}'\``);
}
