export interface DocsPage {
  readonly text: string;
  readonly headers: Headers;
  readonly codes: readonly CodeBlock[];
}

export interface CodeBlock {
  readonly language: string;
  readonly title: string;
  readonly text: string;
}

interface Crawl {
  readonly starts: readonly string[];
  /** Prefix of the paths to follow. */
  readonly below: string;
}

const bothLanguages: Crawl = { starts: ['/docs/en', '/docs/es'], below: '/docs/(?:en|es)' };

/** Loads every page that can be reached from the first ones, by path. */
export async function loadPages(
  url: string,
  { starts, below }: Crawl = bothLanguages,
): Promise<ReadonlyMap<string, DocsPage>> {
  const pages = new Map<string, DocsPage>();
  const links = new RegExp(` href="(${below}(?:/[^"#]*)?)`, 'g');
  const waiting = [...starts];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (pages.has(path)) continue;
    const response = await fetch(url + path);
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${path} is answered ${response.status}`);
    pages.set(path, { text, headers: response.headers, codes: codesOf(text) });
    for (const [, href = ''] of text.matchAll(links)) waiting.push(href);
  }
  return pages;
}

/** Paths of the pages in a language. */
export function pathsIn(language: 'en' | 'es'): RegExp {
  return new RegExp(`^/docs/${language}(?:/|$)`);
}

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

function codesOf(text: string): CodeBlock[] {
  const figures = text.matchAll(
    /<figure class="code" data-language="(\w+)"><figcaption>(.*?)<\/figcaption><pre[^>]*><code>([\s\S]*?)<\/code>/g,
  );
  return [...figures].map(([, language = '', title = '', code = '']) => ({
    language,
    title: plainText(title),
    text: plainText(code),
  }));
}

function plainText(markup: string): string {
  return markup
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? entity);
}
