import { type Html, html } from '../../pages/html.ts';
import { type CodeLanguage, highlight } from './highlight.ts';

export interface Code {
  readonly language: CodeLanguage;
  /** Above the code, and on its tab where there are several; by default the language. */
  readonly title?: string;
  readonly text: string;
}

const names: Readonly<Record<CodeLanguage, string>> = {
  bash: 'curl',
  json: 'JSON',
  typescript: 'TypeScript',
  python: 'Python',
  java: 'Java',
  text: 'Text',
};

/** The same thing in several languages; the page's script makes tabs of it. What scrolls is reached by keyboard too. */
export function codes(list: readonly Code[]): Html {
  const figures = list.map(({ language, title = names[language], text }) => {
    const shown = text.replace(/\n+$/, '');
    return html`<figure class="code" data-language="${language}"><figcaption>${title}</figcaption><pre tabindex="0"><code>${highlight(shown, language)}</code></pre></figure>`;
  });
  return html`<div class="codes">${figures}</div>`;
}
