import { Html, html } from '@rubrica/html';
import highlighter from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import java from 'highlight.js/lib/languages/java';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import typescript from 'highlight.js/lib/languages/typescript';

const grammars = { bash, java, json, python, typescript };
for (const [name, grammar] of Object.entries(grammars)) highlighter.registerLanguage(name, grammar);
highlighter.configure({ classPrefix: 'hl-' });

export type CodeLanguage = keyof typeof grammars | 'text';

export interface Code {
  readonly language: CodeLanguage;
  /** Title above the code, and on its tab if there are several. Default: the language. */
  readonly title?: string;
  readonly text: string;
}

const titles: Readonly<Record<CodeLanguage, string>> = {
  bash: 'curl',
  json: 'JSON',
  typescript: 'TypeScript',
  python: 'Python',
  java: 'Java',
  text: 'Text',
};

/** Renders one example in several languages. The page's script turns the figures into tabs. */
export function renderCodes(list: readonly Code[]): Html {
  const figures = list.map(({ language, title = titles[language], text }) => {
    const shown = text.replace(/\n+$/, '');
    // Focusable, because a scrolling block must be scrollable by keyboard too.
    return html`<figure class="code" data-language="${language}"><figcaption>${title}</figcaption><pre tabindex="0"><code>${highlight(shown, language)}</code></pre></figure>`;
  });
  return html`<div class="codes">${figures}</div>`;
}

function highlight(text: string, language: CodeLanguage): Html {
  if (language === 'text') return html`${text}`;
  const { value } = highlighter.highlight(text, { language });
  // Quotes need no entity outside of attributes. JSON consists of them.
  return new Html(value.replaceAll('&quot;', '"').replaceAll('&#x27;', "'"));
}
