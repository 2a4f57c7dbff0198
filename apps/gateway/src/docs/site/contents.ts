import type { Language } from '../../context.ts';
import { type Html, html } from '../../pages/html.ts';
import { pages } from '../pages.ts';
import type { OperationGroup } from '../reference/document.ts';
import { operationText, spanishTags } from '../reference/operation-texts.ts';
import { type Words, words } from './words.ts';

interface ContentsOptions {
  readonly groups: readonly OperationGroup[];
  readonly language: Language;
  /** Where the reader is. */
  readonly current: string;
}

export function pageAddress(language: Language, slug: string): string {
  return slug === pages[0]?.slug ? `/docs/${language}` : `/docs/${language}/${slug}`;
}

const written = ['begin', 'requests', 'operate'] as const satisfies readonly (keyof Words['groups'])[];

/** Every page, by group; a group of operations is open where the reader is in it. */
export function contentsOf({ groups, language, current }: ContentsOptions): Html {
  const text = words[language];
  const link = (slug: string, name: string) =>
    html`<li><a href="${pageAddress(language, slug)}"${slug === current && html` aria-current="page"`}>${name}</a></li>`;
  const guides = written.map(
    (group) =>
      html`<p>${text.groups[group]}</p><ul>${pages
        .filter((page) => page.group === group)
        .map(({ slug, name }) => link(slug, name[language]))}</ul>`,
  );
  const reference = groups.map(({ name, operations }) => {
    const rows = operations.map(({ operation }) => ({
      slug: `reference/${operation.operationId}`,
      summary: operationText(operation, language).summary,
    }));
    const isOpen = rows.some(({ slug }) => slug === current);
    return html`<details${isOpen && html` open`}><summary>${language === 'es' ? (spanishTags[name] ?? name) : name}</summary><ul>${rows.map(({ slug, summary }) => link(slug, summary))}</ul></details>`;
  });
  return html`${guides}<p>${text.groups.reference}</p>${reference}
<p>${text.downloads}</p><ul><li><a href="/openapi.json">OpenAPI 3.1</a></li><li><a href="/docs/rubrica.postman_collection.json">Postman</a></li><li><a href="/docs/operators">${text.operators}</a></li></ul>`;
}
