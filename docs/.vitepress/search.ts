import type { MarkdownEnv, MarkdownRenderer } from 'vitepress';

/**
 * A word as the search compares it: without the endings in which English words differ, so that "installation" finds
 * "install" and "transfers" finds "transfer". Words that every page has are left out: they would only be marked. The
 * site's script contains this function, so it must stand alone.
 */
export function searchTerm(term: string): string | null {
  const common =
    ' a about an and are as at be but by can do does for from had has have how if in into is it its me my no not of on or so that the their then there they this to was we what when where which who why will with you your ';
  const word = term.toLowerCase();
  if (common.includes(` ${word} `)) return null;
  return word.length < 6 ? word : word.replace(/(ations?|ings?|ies|es|ed|s|e|y)$/, '');
}

/**
 * What the search reads of a page. Of the API reference that is each symbol with its sentences: its code and its tables
 * repeat the names of guides. Of the examples it is their text.
 */
export function searchedText(src: string, env: MarkdownEnv, md: MarkdownRenderer): string {
  const html = md.render(src, env);
  if (!/^(api\/|examples)/.test(env.relativePath)) return html;
  return html.replaceAll(/<pre[\s\S]*?<\/pre>|<table[\s\S]*?<\/table>/g, '');
}
