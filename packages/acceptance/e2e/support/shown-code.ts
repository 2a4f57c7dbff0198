const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

/** The blocks of a page that are in a language, in order, as the copy button gives them. */
export async function shownCode(url: string, language: 'bash' | 'typescript'): Promise<string[]> {
  const page = await (await fetch(url)).text();
  const shape = new RegExp(`<figure class="code" data-language="${language}">.*?<code>(.*?)</code>`, 'gs');
  return [...page.matchAll(shape)].map(([, code = '']) =>
    code
      .replaceAll(/<[^>]+>/g, '')
      .replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? entity),
  );
}
