import ts from 'typescript';

const program = ts.createProgram(['src/index.ts'], {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  target: ts.ScriptTarget.ES2023,
  // The fields of the service are texts, numbers and lists: what browsers and Node have takes longer to read than `src/`.
  lib: ['lib.es2023.d.ts'],
  types: [],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  allowImportingTsExtensions: true,
});
const checker = program.getTypeChecker();
const index = program.getSourceFile('src/index.ts');
const publicTypes = new Map(
  (index === undefined
    ? []
    : checker.getExportsOfModule(checker.getSymbolAtLocation(index) ?? missing('index'))
  ).map((symbol) => [symbol.name, symbol]),
);

/** The paths of all fields of a public type, those of list items with `[]`, and `.*` below a field of any form. */
export function fieldsOf(name: string): string[] {
  return [...new Set(walk(checker.getDeclaredTypeOfSymbol(symbolOf(name)), ''))];
}

function symbolOf(name: string): ts.Symbol {
  const symbol = publicTypes.get(name) ?? missing(name);
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

/** The paths of the fields that every value of a public type has; of each of its forms, if it is a union. */
export function requiredFieldsOf(name: string): string[] {
  const type = checker.getDeclaredTypeOfSymbol(symbolOf(name));
  return (type.isUnion() ? type.types : [type]).flatMap((form) => requiredIn(form, ''));
}

function requiredIn(type: ts.Type, prefix: string): string[] {
  if (type.isUnion()) {
    const [first = [], ...others] = type.types.map((form) => requiredIn(form, prefix));
    return first.filter((path) => others.every((paths) => paths.includes(path)));
  }
  if (checker.isArrayType(type)) {
    return checker
      .getTypeArguments(type as ts.TypeReference)
      .flatMap((item) => requiredIn(item, `${prefix}[].`));
  }
  if (!type.isIntersection() && (type.flags & ts.TypeFlags.Object) === 0) return [];
  if (type.isIntersection() && type.types.some((part) => part.flags & ts.TypeFlags.StringLike)) return [];
  return checker.getPropertiesOfType(type).flatMap((property) => {
    if (property.flags & ts.SymbolFlags.Optional) return [];
    const path = prefix + property.name;
    return [path, ...requiredIn(checker.getTypeOfSymbol(property), `${path}.`)];
  });
}

function walk(type: ts.Type, prefix: string): string[] {
  if (type.isUnion()) return type.types.flatMap((part) => walk(part, prefix));
  if (checker.isArrayType(type)) {
    return checker.getTypeArguments(type as ts.TypeReference).flatMap((item) => walk(item, `${prefix}[].`));
  }
  if (type.flags & ts.TypeFlags.NonPrimitive) return [`${prefix}*`];
  if (type.flags & (ts.TypeFlags.StringLike | ts.TypeFlags.NumberLike | ts.TypeFlags.BooleanLike)) return [];
  if (type.isIntersection() && type.types.some((part) => part.flags & ts.TypeFlags.StringLike)) return [];
  return checker.getPropertiesOfType(type).flatMap((property) => {
    const inner = checker.getTypeOfSymbol(property);
    if (checker.getNonNullableType(inner).flags & ts.TypeFlags.Never) return [];
    if (inner.flags & ts.TypeFlags.Unknown) return [prefix + property.name, `${prefix}${property.name}.*`];
    return [prefix + property.name, ...walk(inner, `${prefix}${property.name}.`)];
  });
}

function missing(name: string): never {
  throw new Error(`There is no ${name}`);
}

/** The texts that a field of a public type lists. */
export function texts(name: string, field: string): string[] {
  const type = checker.getDeclaredTypeOfSymbol(symbolOf(name));
  const parts = type.isUnion() ? type.types : [type];
  return [
    ...new Set(
      parts.flatMap((part) => {
        const property = checker.getPropertyOfType(part, field);
        const inner = property === undefined ? undefined : checker.getTypeOfSymbol(property);
        const options = inner?.isUnion() ? inner.types : inner === undefined ? [] : [inner];
        return options.flatMap((option) => (option.isStringLiteral() ? [option.value] : []));
      }),
    ),
  ];
}
