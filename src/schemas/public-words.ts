import { regionalAccountFields } from './account-regions.ts';
import type { ParamCheck } from './params/param.ts';
import { fieldsOf, type Type } from './zod.ts';

/** The documented values of request fields that name a kind of thing. None of them is anybody's secret. */
const enumValues = [
  ...['POLYGON', 'ETHEREUM', 'SOLANA', 'BASE', 'OPTIMISM', 'ARBITRUM', 'usdc', 'usdt'],
  ...['gift', 'bills', 'groceries', 'travel', 'health', 'entertainment', 'housing', 'school-fees', 'other'],
  ...['wire', 'swift', 'chats', 'checking', 'savings', 'Checking', 'Savings', 'momo', 'bank', 'ALIAS'],
  ...['clabe', 'debitcard', 'phonenum', 'individual', 'business', 'PASS', 'PERCENT', 'onramp', 'offramp'],
  ...['africa', ...Object.keys(regionalAccountFields)],
];

/** Returns the values of enums, and the names of the fields of schemas. */
export function publicWords(...schemas: readonly (Type | ParamCheck | undefined)[]): ReadonlySet<string> {
  return new Set([...enumValues, ...schemas.flatMap((schema) => (schema ? namesIn(schema) : []))]);
}

/** Returns the names of the fields of a schema, at every depth. */
export function namesIn(schema: Type | ParamCheck): readonly string[] {
  const fields = ('faultOf' in schema ? schema.fields : fieldsOf(schema)) ?? {};
  return Object.entries(fields).flatMap(([name, inner]) => [name, ...namesIn(inner)]);
}
