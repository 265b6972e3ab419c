import { dirname } from 'node:path';
import ts from 'typescript';

const options: ts.CompilerOptions = {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ES2023,
  strict: true,
  exactOptionalPropertyTypes: true,
  types: [],
  skipLibCheck: true,
  noEmit: true,
};
const plainHost = ts.createCompilerHost(options);
const libraries = dirname(plainHost.getDefaultLibFileName(options));
const parsed = new Map<string, ts.SourceFile | undefined>();

/** The libraries of the compiler are the same for every entry, and take longer to parse than an entry. */
const host: ts.CompilerHost = {
  ...plainHost,
  getSourceFile(file, ...how) {
    if (dirname(file) !== libraries) return plainHost.getSourceFile(file, ...how);
    if (!parsed.has(file)) parsed.set(file, plainHost.getSourceFile(file, ...how));
    return parsed.get(file);
  },
};

/**
 * The public surface of one entry, as text: the declarations that it exports, and those that these refer to although
 * nobody can name them; sorted, and without comments.
 *
 * @param declarations - The entry's built `.d.ts` file.
 */
export function surfaceOf(declarations: string): string {
  const program = ts.createProgram([declarations], options, host);
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(declarations);
  const entry = source === undefined ? undefined : checker.getSymbolAtLocation(source);
  if (entry === undefined) throw new Error(`${declarations} is no module; build first.`);
  const own = dirname(declarations);

  const original = (symbol: ts.Symbol): ts.Symbol =>
    (symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol);
  const declarationsOf = (symbol: ts.Symbol): ts.Declaration[] =>
    (symbol.declarations ?? []).filter(
      (declaration) => declaration.getSourceFile().fileName.startsWith(own) && isTopLevel(declaration),
    );

  const exported = new Map<ts.Symbol, string>();
  for (const symbol of checker.getExportsOfModule(entry)) exported.set(original(symbol), symbol.name);
  const inner = new Map<ts.Symbol, string>();
  const follow = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) {
      const found = checker.getSymbolAtLocation(node);
      const symbol = found === undefined ? undefined : original(found);
      if (symbol !== undefined && !exported.has(symbol) && !inner.has(symbol)) {
        const places = declarationsOf(symbol);
        if (places.length > 0) inner.set(symbol, symbol.name);
        for (const place of places) if (!isInferred(place)) follow(place);
      }
    }
    ts.forEachChild(node, follow);
  };
  for (const symbol of exported.keys())
    for (const place of declarationsOf(symbol)) if (!isInferred(place)) follow(place);

  const textOf = (symbols: ReadonlyMap<ts.Symbol, string>): string =>
    [...symbols]
      .flatMap(([symbol, name]) =>
        declarationsOf(symbol).map((place) => ({
          name,
          text: isInferred(place) ? spelledOut(symbol, place, checker) : print(place),
        })),
      )
      .sort((one, other) => compare(one.name, other.name) || compare(one.text, other.text))
      .map(({ name, text }) => (text.includes(name) ? text : `${text} // as ${name}`))
      .join('\n');
  const rest = textOf(inner);
  return `${textOf(exported)}\n${rest === '' ? '' : `\nNot exported, but part of the above:\n\n${rest}\n`}`;
}

/** Members and parameters come with what they are part of. */
function isTopLevel(declaration: ts.Declaration): boolean {
  const statement = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
  return ts.isSourceFile(statement.parent) && !ts.isImportDeclaration(statement);
}

/** Whether a type is said to be what a schema gives: then it is told by its fields, and not by the schema's types. */
const isInferred = (declaration: ts.Declaration): boolean =>
  (ts.isInterfaceDeclaration(declaration) || ts.isTypeAliasDeclaration(declaration)) &&
  /\boutput<(?:ReturnType<)?typeof /.test(declaration.getText());

function spelledOut(symbol: ts.Symbol, declaration: ts.Declaration, checker: ts.TypeChecker): string {
  const flags =
    ts.NodeBuilderFlags.NoTruncation |
    ts.NodeBuilderFlags.InTypeAlias |
    ts.NodeBuilderFlags.MultilineObjectLiterals |
    ts.NodeBuilderFlags.UseAliasDefinedOutsideCurrentScope;
  const textOf = (type: ts.Type): string => {
    const node = checker.typeToTypeNode(type, declaration, flags);
    if (node === undefined) throw new Error(`${symbol.name} cannot be written out.`);
    return printer
      .printNode(
        ts.EmitHint.Unspecified,
        inOrder(node, declaration.getSourceFile()),
        declaration.getSourceFile(),
      )
      .replaceAll(/^( +)/gm, (indentation) => ' '.repeat(indentation.length / 2));
  };
  const type = checker.getDeclaredTypeOfSymbol(symbol);
  if (ts.isTypeAliasDeclaration(declaration)) return `type ${symbol.name} = ${textOf(type)};`;
  const fields = checker.getPropertiesOfType(type).map((field) => {
    const mark = (field.flags & ts.SymbolFlags.Optional) === 0 ? '' : '?';
    return `${field.name}${mark}: ${textOf(checker.getTypeOfSymbolAtLocation(field, declaration))};`;
  });
  fields.sort(compare);
  const others = checker
    .getIndexInfosOfType(type)
    .map((index) => `[field: ${textOf(index.keyType)}]: ${textOf(index.type)};`);
  const lines = [...fields, ...others].join('\n').replaceAll(/^/gm, '  ');
  return `interface ${symbol.name} {\n${lines}\n}`;
}

const printer = ts.createPrinter({ removeComments: true });

function print(declaration: ts.Declaration): string {
  const statement = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
  return (
    printer
      .printNode(
        ts.EmitHint.Unspecified,
        inOrder(statement, declaration.getSourceFile()),
        declaration.getSourceFile(),
      )
      .replaceAll(/^(?:export )?(?:declare )?/gm, '')
      // What is private has no type that anybody could use.
      .replaceAll(/^\s*#private;\n/gm, '')
      .replaceAll(/^( +)/gm, (indentation) => ' '.repeat(indentation.length / 2))
  );
}

/** With the members of unions and of literal types sorted: the compiler writes them now in one order and now in another. */
function inOrder(node: ts.Node, source: ts.SourceFile): ts.Node {
  const rank = (type: ts.TypeNode): string => {
    const text = printer.printNode(ts.EmitHint.Unspecified, type, source);
    return text === 'null' || text === 'undefined' ? `~${text}` : text.replaceAll("'", '"');
  };
  const visit = (part: ts.Node, context: ts.TransformationContext): ts.Node => {
    const seen = ts.visitEachChild(part, (child) => visit(child, context), context);
    if (ts.isTypeLiteralNode(seen)) {
      const text = (member: ts.TypeElement) => printer.printNode(ts.EmitHint.Unspecified, member, source);
      return ts.factory.createTypeLiteralNode(
        [...seen.members].sort((one, other) => compare(text(one), text(other))),
      );
    }
    if (!ts.isUnionTypeNode(seen)) return seen;
    return ts.factory.createUnionTypeNode(
      [...seen.types].sort((one, other) => compare(rank(one), rank(other))),
    );
  };
  const { transformed } = ts.transform(node, [(context) => (part) => visit(part, context)]);
  return transformed[0] ?? node;
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
