import { regionalAccountFields } from './account-regions.ts';
import type { Type } from './zod.ts';

/** The documented values of request fields that name a kind of thing. None of them is anybody's secret. */
const enumValues = [
  ...['POLYGON', 'ETHEREUM', 'SOLANA', 'BASE', 'OPTIMISM', 'ARBITRUM', 'usdc', 'usdt'],
  ...['gift', 'bills', 'groceries', 'travel', 'health', 'entertainment', 'housing', 'school-fees', 'other'],
  ...['wire', 'swift', 'chats', 'checking', 'savings', 'Checking', 'Savings', 'momo', 'bank', 'ALIAS'],
  ...['clabe', 'debitcard', 'phonenum', 'individual', 'business', 'PASS', 'PERCENT', 'onramp', 'offramp'],
  ...['africa', ...Object.keys(regionalAccountFields)],
];

/** Returns the values of enums, and the names of the fields of schemas. */
export function publicWords(...schemas: readonly (Type | undefined)[]): ReadonlySet<string> {
  const found = new Set(enumValues);
  const visit = (schema: Type | undefined): void => {
    if (schema === undefined) return;
    // zod's definitions are open: each kind of schema has its inner ones under a name of its own.
    const { shape = {}, innerType, element, options = [] } = schema._zod.def as Definition;
    for (const [name, inner] of Object.entries(shape)) {
      found.add(name);
      visit(inner);
    }
    for (const inner of [innerType, element, ...options]) visit(inner);
  };
  for (const schema of schemas) visit(schema);
  return found;
}

interface Definition {
  readonly shape?: Readonly<Record<string, Type>>;
  readonly innerType?: Type;
  readonly element?: Type;
  readonly options?: readonly Type[];
}
