const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

/** Reads the blocks of a page in a language, in order, as the copy button copies them. */
export async function shownCode(url: string, language: 'bash' | 'typescript'): Promise<string[]> {
  const page = await (await fetch(url)).text();
  const shape = new RegExp(`<figure class="code" data-language="${language}">.*?<code>(.*?)</code>`, 'gs');
  return [...page.matchAll(shape)].map(([, code = '']) =>
    code
      .replaceAll(/<[^>]+>/g, '')
      .replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? entity),
  );
}
