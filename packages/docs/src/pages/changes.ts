import { type Html, html } from '@rubrica/html';
import { changes } from '../content/changes.ts';
import type { Language } from '../language.ts';
import type { Markdown } from '../markdown/create-markdown.ts';

/** Renders the change log as a list. Each entry is a link target. */
export function renderChanges(language: Language, markdown: Markdown): Html {
  const items = changes.map(
    ({ date, id, ...text }) =>
      html`<li id="${id}"><time datetime="${date}">${date}</time>: ${markdown.renderInline(text[language])}</li>`,
  );
  return html`<ul>${items}</ul>`;
}

const titles: Readonly<Record<Language, string>> = {
  en: 'Rubrica: changes of the interface',
  es: 'Rubrica: cambios de la interfaz',
};

/** Writes the change log as RSS 2.0. */
export function writeChangeFeed(language: Language, baseUrl: string): string {
  const page = `${baseUrl}/docs/${language}/versions`;
  const items = changes.map(({ date, id, ...text }) => {
    const plain = text[language].replaceAll('`', '');
    const link = `${page}#${id}`;
    const title = /^[^.:]+/.exec(plain)?.[0] ?? plain;
    return `<item><title>${escapeXml(title)}</title><link>${link}</link><guid>${link}</guid><pubDate>${new Date(`${date}T12:00:00Z`).toUTCString()}</pubDate><description>${escapeXml(plain)}</description></item>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0"><channel><title>${titles[language]}</title><link>${page}</link><description>${titles[language]}</description><language>${language}</language>
${items.join('\n')}
</channel></rss>
`;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
