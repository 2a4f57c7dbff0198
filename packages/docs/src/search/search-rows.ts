import type { Language } from '../language.ts';
import { pageAddress } from '../pages/contents.ts';
import type { SitePage } from '../site-page.ts';

/** Search result: title, title of its page, address, text, and a weight that grows with its importance. */
export type SearchRow = readonly [title: string, page: string, href: string, text: string, weight: number];

const maxTextLength = 400;

/** Lists all link targets: pages, headings, codes, events and fields, each with its text. */
export function listSearchRows(pages: ReadonlyMap<string, SitePage>, language: Language): SearchRow[] {
  return [...pages].flatMap(([slug, page]) => {
    const href = pageAddress(language, slug);
    const [intro = '', ...targets] = page.main.text.split(/(?=<(?:h2|h3|section|tr)[^>]* id=")/);
    const rows = targets.flatMap((target) => toRow(target, { page: page.title, href }) ?? []);
    return [[page.title, '', href, toPlainText(intro), 9] as const, ...rows];
  });
}

/**
 * Creates the row of a target.
 * @param markup starts with the element that has the id, and ends before the next one
 */
function toRow(
  markup: string,
  { page, href }: { readonly page: string; readonly href: string },
): SearchRow[] | undefined {
  const [, element, id = ''] = /^<(\w+)[^>]* id="([^"]+)"/.exec(markup) ?? [];
  const titleShape = element === 'tr' ? /<code[^>]*>(.*?)<\/code>/s : /<h[23][^>]*>(.*?)<\/h[23]>/s;
  const inner = titleShape.exec(markup)?.[1] ?? '';
  const title = toPlainText(inner.replace(/<a class="anchor".*?<\/a>|<span class="quiet">.*?<\/span>/gs, ''));
  if (title === '') return undefined;
  const weight = element === 'tr' ? 0 : element === 'section' ? 8 : 5;
  return [[title, page, `${href}#${id}`, toPlainText(markup), weight]];
}

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

function toPlainText(markup: string): string {
  return markup
    .replaceAll(/<pre[\s\S]*?<\/pre>|<[^>]+>/g, ' ')
    .replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? entity)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, maxTextLength);
}
