import type { Language } from '../context.ts';
import { type Html, html } from '../pages/html.ts';
import { script } from './script.ts';
import { words } from './site/words.ts';
import { style } from './style.ts';

export interface DocsFrame {
  readonly title: string;
  /** For search machines and previews: one or two sentences. */
  readonly description: string;
  readonly language: Language;
  /** The same page in the other language, where there is one. */
  readonly twin?: string;
  /** Where the index of the search is, where there is one. */
  readonly searchIndex?: string;
  /** Where all pages are, or the parts of this one. */
  readonly contents: Html;
  readonly main: Html;
}

/** A page of the documentation: one static document with its own style and script, and nothing from elsewhere. */
export function docsFrame(frame: DocsFrame): string {
  const { title, description, language, contents, main } = frame;
  const text = words[language];
  // The contents stand twice and only one is shown: folded on a phone, at the side of the text on a wide screen.
  return html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="description" content="${description}"><link rel="icon" href="/favicon.svg"><title>${title}</title><style>${style}</style><script>${script}</script></head>
<body data-copy="${text.copy}" data-copied="${text.copied}"><a class="skip" href="#content">${text.skip}</a>
<header><p class="brand"><a href="/docs/${language}">${text.brand}</a></p>${searchBox(frame)}${otherLanguage(frame)}</header>
<div class="layout"><nav class="folded" aria-label="${text.contents}"><details><summary>${text.contents}</summary>${contents}</details></nav>
<nav class="beside" aria-label="${text.contents}">${contents}</nav>
<main id="content">${main}</main></div></body></html>`.text;
}

/** Hidden until the script shows it: without one it finds nothing. */
function searchBox({ language, searchIndex }: DocsFrame): Html | false {
  const text = words[language];
  return (
    searchIndex !== undefined &&
    html`<form role="search" hidden data-index="${searchIndex}" data-nothing="${text.nothingFound}"><input type="search" aria-label="${text.search}" placeholder="${text.searchHint}" autocomplete="off" spellcheck="false"><ul aria-live="polite" hidden></ul></form>`
  );
}

function otherLanguage({ language, twin }: DocsFrame): Html | false {
  const other = language === 'es' ? 'en' : 'es';
  return (
    twin !== undefined &&
    html`<a class="language" href="${twin}" lang="${other}" hreflang="${other}">${words[language].otherLanguage}</a>`
  );
}
