import { readFileSync } from 'node:fs';
import type { Language } from '../../context.ts';
import { type Html, html } from '../../pages/html.ts';
import { docsFrame } from '../frame.ts';
import { inlineMarkdown } from '../markdown/inline.ts';
import { type Rendered, renderMarkdown } from '../markdown/render-markdown.ts';
import { pages } from '../pages.ts';
import { partOf } from '../parts.ts';
import { type DescribedDocument, operationGroups } from '../reference/document.ts';
import { operationPage } from '../reference/operation-page.ts';
import { operationText } from '../reference/operation-texts.ts';
import { contentsOf, pageAddress } from './contents.ts';
import { words } from './words.ts';

export interface SiteOptions {
  readonly document: DescribedDocument;
  readonly baseUrl: string;
  readonly isSandbox: boolean;
}

export interface SitePage {
  readonly title: string;
  /** As it is written: `code` and links may be in it. */
  readonly description: string;
  readonly main: Html;
}

export interface Site {
  /** Below `/docs/{language}`, in the order of reading. */
  readonly slugs: readonly string[];
  /** What a page says, without what stands around it; `undefined` where there is none. */
  content(language: Language, slug: string): SitePage | undefined;
  /** The whole document. */
  render(language: Language, slug: string): string | undefined;
}

const content = new URL('../content/', import.meta.url);

/** The documentation as pages: those that are written, and one for each operation. */
export function createSite({ document, baseUrl, isSandbox }: SiteOptions): Site {
  const groups = operationGroups(document);
  const operations = new Map(
    groups
      .flatMap(({ operations: list }) => list)
      .map((one) => [`reference/${one.operation.operationId}`, one]),
  );
  const slugs = [...pages.map(({ slug }) => slug), ...operations.keys()];

  function written(language: Language, slug: string): SitePage {
    const text = readFileSync(new URL(`${language}/${slug}.md`, content), 'utf8');
    const rendered = renderMarkdown(text.replaceAll('{baseUrl}', baseUrl), {
      base: `/docs/${language}`,
      part: (name) => partOf(name, { document, language }),
    });
    return { title: rendered.title, description: rendered.lead, main: mainOf(rendered, language) };
  }

  function contentOf(language: Language, slug: string): SitePage | undefined {
    const placed = operations.get(slug);
    if (placed !== undefined)
      return operationPage(placed, { components: document.components, baseUrl, language, isSandbox });
    return slugs.includes(slug) ? written(language, slug) : undefined;
  }

  function neighbours(language: Language, slug: string): Html {
    const at = slugs.indexOf(slug);
    const text = words[language];
    const link = (other: string | undefined, label: string) =>
      other !== undefined &&
      html`<a href="${pageAddress(language, other)}"><span class="quiet">${label}</span><br>${nameOf(language, other)}</a>`;
    return html`<nav class="neighbours" aria-label="${text.next}">${link(slugs[at - 1], text.before)}${link(slugs[at + 1], text.next)}</nav>`;
  }

  function nameOf(language: Language, slug: string): string {
    const placed = operations.get(slug);
    if (placed !== undefined) return operationText(placed.operation, language).summary;
    return pages.find((page) => page.slug === slug)?.name[language] ?? slug;
  }

  function render(language: Language, slug: string): string | undefined {
    const page = contentOf(language, slug);
    if (page === undefined) return undefined;
    return docsFrame({
      title: `${page.title} · Rubrica`,
      description: page.description.replaceAll(/[`*]|\]\([^)]*\)|\[/g, ''),
      language,
      twin: pageAddress(language === 'es' ? 'en' : 'es', slug),
      searchIndex: `/docs/${language}/search.json`,
      contents: contentsOf({ groups, language, current: slug }),
      main: html`${page.main}${neighbours(language, slug)}`,
    });
  }

  return { slugs, content: contentOf, render };
}

function mainOf({ title, lead, body }: Rendered, language: Language): Html {
  return html`<h1>${title}</h1><p class="lead">${inlineMarkdown(lead, `/docs/${language}`)}</p>${body}`;
}
