import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { Comment, Converter, ReflectionFlag, ReflectionKind, StructureRouter } from 'typedoc';

const docs = new URL('../', import.meta.url);
const pages = JSON.parse(readFileSync(new URL('pages.json', docs), 'utf8'));

/** What the entry points are called by those who import them. */
const entries = {
  index: 'stablecoin-payments',
  webhooks: 'stablecoin-payments/webhooks',
  emulator: 'stablecoin-payments/emulator',
  'emulator/msw': 'stablecoin-payments/emulator/msw',
  'emulator/node': 'stablecoin-payments/emulator/node',
  opentelemetry: 'stablecoin-payments/opentelemetry',
  payouts: 'stablecoin-payments/payouts',
};

/** What members are that types infer from names in a list, where no comment can stand. */
const inferred = {
  eventType: 'The kind.',
  data: 'What it is about, as received.',
  comment: 'Why, as the one who decided wrote.',
};
const personal = 'Personal data; may be null or missing.';

const headingOf = (text) => /^# (.+)$/m.exec(text)?.[1];
const nameOf = (path) =>
  (path.endsWith('/README.md') ? basename(path.slice(0, -10)) : basename(path, '.md')).toLowerCase();

/** The group and the file name of each page, by its heading. */
const places = new Map(
  Object.entries(pages).flatMap(([group, paths]) =>
    paths
      .filter((path) => existsSync(new URL(path, docs)))
      .map((path) => [headingOf(readFileSync(new URL(path, docs), 'utf8')), { group, name: nameOf(path) }]),
  ),
);

/** What is not among the pages is a decision, and known by its number or else by its words. */
const placeOf = (heading) => {
  const [, number = heading.toLowerCase().replaceAll(/[^a-z\d]+/g, '-')] = /^(\d+)\. /.exec(heading) ?? [];
  return places.get(heading) ?? { group: 'Decisions', name: `decision-${number}` };
};

/** Addresses that stay when a heading changes: a page's is that of its file. */
class PageRouter extends StructureRouter {
  getIdealBaseName(reflection) {
    return reflection.isDocument()
      ? `guides/${placeOf(reflection.name).name}`
      : super.getIdealBaseName(reflection);
  }
}

/**
 * A typedoc plugin: pages are named by their heading and grouped as docs/pages.json has it, so that the Markdown
 * needs no front matter; entry points are named as they are imported.
 *
 * @param {import('typedoc').Application} app
 */
export function arrange(app) {
  app.renderer.defineRouter('pages', PageRouter);
  app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_context, document) => {
    const heading = headingOf(document.content[0]?.text ?? '');
    if (heading === undefined) throw new Error(`${document.name} has no heading`);
    document.name = heading;
    document.frontmatter.group = placeOf(heading).group;
  });
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.getReflectionsByKind(ReflectionKind.Module)) {
      module.name = entries[module.name] ?? module.name;
    }
    for (const property of project.getReflectionsByKind(ReflectionKind.Property)) {
      if (property.comment !== undefined) continue;
      const text = property.getFullName().includes('kycInfo') ? personal : inferred[property.name];
      if (text !== undefined) property.comment = new Comment([{ kind: 'text', text }]);
    }
    // An answer's type extends what its schema infers, which says nothing to a reader.
    for (const type of project.getReflectionsByKind(ReflectionKind.Interface)) {
      if (!type.extendedTypes?.some(({ name }) => name === 'z.infer' || name === 'output')) continue;
      delete type.extendedTypes;
      for (const member of type.children ?? []) {
        delete member.inheritedFrom;
        member.setFlag(ReflectionFlag.Inherited, false);
      }
    }
    // The theme shows the project's name as the heading of the first page.
    const [first] = project.readme ?? [];
    if (first !== undefined) first.text = first.text.replace(/^# .+\n+/, '');
  });
}
