import { type Html, html } from '@rubrica/html';
import { type Labels, labels } from '../content/labels.ts';
import { pages } from '../content/pages.ts';
import { readOperationText, spanishTags } from '../content/spanish-operations.ts';
import type { Language } from '../language.ts';
import type { RouteGroup } from '../openapi-document.ts';

export interface ContentsOptions {
  readonly groups: readonly RouteGroup[];
  readonly language: Language;
  /** Slug of the page that shows these contents. */
  readonly current: string;
}

export function pageAddress(language: Language, slug: string): string {
  return slug === pages[0]?.slug ? `/docs/${language}` : `/docs/${language}/${slug}`;
}

const guideGroups = ['begin', 'requests', 'operate'] as const satisfies readonly (keyof Labels['groups'])[];

/** Renders links to every page, by group. The group of the current operation is open. */
export function renderContents({ groups, language, current }: ContentsOptions): Html {
  const text = labels[language];
  const link = (slug: string, name: string) =>
    html`<li><a href="${pageAddress(language, slug)}"${slug === current && html` aria-current="page"`}>${name}</a></li>`;
  const guides = guideGroups.map(
    (group) =>
      html`<p>${text.groups[group]}</p><ul>${pages
        .filter((page) => page.group === group)
        .map(({ slug, name }) => link(slug, name[language]))}</ul>`,
  );
  const reference = groups.map(({ name, routes }) => {
    const rows = routes.map(({ operation }) => ({
      slug: `reference/${operation.operationId}`,
      summary: readOperationText(operation, language).summary,
    }));
    const isOpen = rows.some(({ slug }) => slug === current);
    return html`<details${isOpen && html` open`}><summary>${language === 'es' ? (spanishTags[name] ?? name) : name}</summary><ul>${rows.map(({ slug, summary }) => link(slug, summary))}</ul></details>`;
  });
  return html`${guides}<p>${text.groups.reference}</p>${reference}
<p>${text.downloads}</p><ul><li><a href="/openapi.json">OpenAPI 3.1</a></li><li><a href="/docs/rubrica.postman_collection.json">Postman</a></li><li><a href="/docs/operators">${text.operators}</a></li></ul>`;
}
