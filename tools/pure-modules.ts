import MagicString from 'magic-string';
import ts from 'typescript';

const pure = '/* @__PURE__ */ ';

/**
 * Marks what a module makes as it loads as free of side effects, as `sideEffects: false` promises: the minifiers of
 * webpack, rspack and Parcel then drop the classes, shapes and tables that a program does not use.
 */
export function markPure(code: string): MagicString {
  const source = ts.createSourceFile('module.js', code, ts.ScriptTarget.ESNext, true, ts.ScriptKind.JS);
  const marked = new MagicString(code);
  for (const statement of source.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    for (const { name, initializer } of statement.declarationList.declarations) {
      if (initializer === undefined || !ts.isIdentifier(name)) continue;
      const start = initializer.getStart();
      const isMarked = code.slice(initializer.pos, start).includes('__PURE__');
      if (ts.isClassExpression(initializer)) {
        // Parcel reads no mark, but drops a class that does nothing as it is made.
        if (!runsCode(initializer)) continue;
        // The inner constant gives the class its name.
        marked.appendLeft(start, `${pure}(() => { const ${name.text} = `);
        marked.appendLeft(initializer.end, `; return ${name.text}; })()`);
      } else if (ts.isCallExpression(initializer) || ts.isNewExpression(initializer)) {
        // What is read of another object may be a getter: no bundler can tell.
        if (initializer.arguments?.some((argument) => /[(.]/.test(argument.getText())) === true) {
          marked.appendLeft(start, `${pure}(() => `).appendLeft(initializer.end, ')()');
        } else if (!isMarked) marked.appendLeft(start, pure);
      } else if (ts.isObjectLiteralExpression(initializer) || ts.isArrayLiteralExpression(initializer)) {
        if (!/[(.]/.test(initializer.getText())) continue;
        marked.appendLeft(start, `${pure}(() => (`).appendLeft(initializer.end, '))()');
      }
    }
  }
  return marked;
}

/** Returns true if code runs as a class is made: a static block or field, or what another class does. */
const runsCode = ({ members, heritageClauses }: ts.ClassExpression): boolean =>
  heritageClauses !== undefined ||
  members.some(
    (member) =>
      ts.isClassStaticBlockDeclaration(member) ||
      (ts.isPropertyDeclaration(member) && ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Static) ||
      (member.name !== undefined && ts.isComputedPropertyName(member.name)),
  );

/**
 * Leaves out indentation, and comments that only readers of the sources need: the types have those of users. The marks
 * for bundlers and the licenses stay.
 */
export function compacted(code: string): MagicString {
  const source = ts.createSourceFile('module.js', code, ts.ScriptTarget.ESNext, true, ts.ScriptKind.JS);
  const comments = new Map<number, number>();
  const texts: { from: number; to: number }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTemplateLiteralToken(node) || ts.isStringLiteral(node))
      texts.push({ from: node.getStart(), to: node.end });
    const ranges = [
      ...(ts.getLeadingCommentRanges(code, node.pos) ?? []),
      ...(ts.getTrailingCommentRanges(code, node.end) ?? []),
    ];
    for (const { pos, end } of ranges) {
      if (!/__(PURE|NO_SIDE_EFFECTS)__|license/i.test(code.slice(pos, end))) comments.set(pos, end);
    }
    node.getChildren().forEach(visit);
  };
  visit(source);
  const whole = [...texts, ...[...comments].map(([from, to]) => ({ from, to }))];
  const indentation = [...code.matchAll(/^[ \t]+/gm)]
    .map(({ index, 0: { length } }): [number, number] => [index, index + length])
    .filter(([at]) => !whole.some(({ from, to }) => from < at && at < to));
  const kept = new MagicString(code);
  for (const [from, to] of [...comments, ...indentation]) kept.remove(from, to);
  return kept;
}
