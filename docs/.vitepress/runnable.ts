import { transformSync } from 'esbuild';
import type { MarkdownRenderer } from 'vitepress';

/** The pages whose first programs run on the site, with the number of these. */
const runnable: Readonly<Record<string, number>> = { 'index.md': 1, 'guides/quickstart.md': 3 };

/** Sets a button below each such program, with the program as JavaScript. A continued one has all before it. */
export function runPrograms(md: MarkdownRenderer): void {
  const render = md.renderer.rules.fence;
  if (render === undefined) return;
  md.renderer.rules.fence = (tokens, index, options, env, self) => {
    const shown = render(tokens, index, options, env, self);
    const most = runnable[String(env.relativePath)] ?? 0;
    const programs = tokens.filter(
      ({ type, info }) => type === 'fence' && /^ts (run|continued)\b/.test(info),
    );
    const token = tokens[index];
    const place = token === undefined ? -1 : programs.indexOf(token);
    if (place === -1 || place >= most) return shown;
    const parts = programs.slice(0, place + 1).map(({ content }) => content);
    return `${shown}<RunHere code="${md.utils.escapeHtml(programOf(parts.join('\n')))}" />`;
  };
}

/** A program without types, in which the modules of the package are values. */
function programOf(code: string): string {
  const { code: plain } = transformSync(code, {
    loader: 'ts',
    format: 'esm',
    target: 'es2022',
    // What a program imports and uses only as a type is dropped, as by Node.
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: false } },
  });
  return plain.replaceAll(
    /^import \{([^}]*)\} from "([^"]+)";$/gm,
    (_, names: string, module: string) => `const {${names}} = modules["${module}"];`,
  );
}
