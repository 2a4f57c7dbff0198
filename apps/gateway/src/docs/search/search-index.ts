import { setImmediate } from 'node:timers/promises';
import type { Language } from '../../context.ts';
import { pageAddress } from '../site/contents.ts';
import type { Site } from '../site/site.ts';

/** Title, page, address, text, weight: what the page's script searches. */
export type SearchRow = readonly [title: string, page: string, href: string, text: string, weight: number];

const textLength = 400;

/** Everything that can be linked to: pages, headings, codes, events and fields, each with the text that follows. */
export async function searchIndex(site: Site, language: Language): Promise<SearchRow[]> {
  const rows: SearchRow[] = [];
  for (const slug of site.slugs) {
    // A page at a time: other calls are served between them.
    await setImmediate();
    const page = site.content(language, slug);
    if (page === undefined) continue;
    const href = pageAddress(language, slug);
    const [before = '', ...targets] = page.main.text.split(/(?=<(?:h2|h3|section|tr)[^>]* id=")/);
    rows.push([page.title, '', href, textOf(before), 9]);
    rows.push(...targets.flatMap((target) => rowOf(target, { page: page.title, href })));
  }
  return rows;
}

function rowOf(markup: string, place: { readonly page: string; readonly href: string }): SearchRow[] {
  const [, element, id = ''] = /^<(\w+)[^>]* id="([^"]+)"/.exec(markup) ?? [];
  const title = titleOf(
    markup,
    element === 'tr' ? /<code[^>]*>(.*?)<\/code>/s : /<h[23][^>]*>(.*?)<\/h[23]>/s,
  );
  if (title === '') return [];
  const weight = element === 'tr' ? 0 : element === 'section' ? 8 : 5;
  return [[title, place.page, `${place.href}#${id}`, textOf(markup), weight]];
}

function titleOf(markup: string, shape: RegExp): string {
  const inner = shape.exec(markup)?.[1] ?? '';
  return textOf(inner.replace(/<a class="anchor".*?<\/a>|<span class="quiet">.*?<\/span>/gs, ''));
}

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

function textOf(markup: string): string {
  return markup
    .replaceAll(/<pre[\s\S]*?<\/pre>|<[^>]+>/g, ' ')
    .replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? entity)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, textLength);
}
