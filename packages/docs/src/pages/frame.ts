import { type Html, html } from '@rubrica/html';
import { assets } from '../assets.ts';
import { labels } from '../content/labels.ts';
import type { Language } from '../language.ts';

export interface FrameOptions {
  readonly title: string;
  /** Shown by search engines and previews: one or two sentences. */
  readonly description: string;
  readonly language: Language;
  /** Address of the same page in the other language. */
  readonly translation?: string;
  /** Address of the search index. */
  readonly searchIndex?: string;
  /** Links to all pages, or to the sections of this one. */
  readonly contents?: Html;
  readonly main: Html;
}

/** Renders a complete page: static markup that loads one style sheet and one script of this site. */
export function renderFrame(options: FrameOptions): string {
  const { title, description, language, contents, main } = options;
  const text = labels[language];
  const nav =
    contents &&
    html`<nav class="contents" aria-label="${text.contents}"><details><summary>${text.contents}</summary>${contents}</details></nav>`;
  return html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="description" content="${description}"><link rel="icon" href="/favicon.svg"><title>${title}</title><link rel="stylesheet" href="${assets.style.address}"><script type="module" src="${assets.script.address}"></script></head>
<body data-copy="${text.copy}" data-copied="${text.copied}"><a class="skip" href="#content">${text.skip}</a>
<header><p class="brand"><a href="/docs/${language}">${text.brand}</a></p>${renderSearch(options)}${renderLanguageLink(options)}</header>
<div class="layout">${nav}<main id="content">${main}</main></div></body></html>
`.text;
}

/** Renders the search field. The script shows it: without a script it finds nothing. */
function renderSearch({ language, searchIndex }: FrameOptions): Html | false {
  const text = labels[language];
  return (
    searchIndex !== undefined &&
    html`<form role="search" hidden data-index="${searchIndex}" data-engine="${assets.search.address}" data-nothing="${text.nothingFound}"><input type="search" aria-label="${text.search}" placeholder="${text.searchHint}" autocomplete="off" spellcheck="false"><ul aria-live="polite" hidden></ul></form>`
  );
}

function renderLanguageLink({ language, translation }: FrameOptions): Html | false {
  const other = language === 'es' ? 'en' : 'es';
  return (
    translation !== undefined &&
    html`<a class="language" href="${translation}" lang="${other}" hreflang="${other}">${labels[language].otherLanguage}</a>`
  );
}
