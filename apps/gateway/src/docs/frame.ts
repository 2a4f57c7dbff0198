import { type Html, html } from '../pages/html.ts';
import { style } from './style.ts';

export interface DocsFrame {
  readonly title: string;
  /** Beside the name at the top. */
  readonly links: Html;
  /** Where the page's parts are. */
  readonly contents: Html;
  readonly main: Html;
}

/** A page of the documentation: one static document, without scripts or anything from elsewhere. */
export function docsFrame({ title, links, contents, main }: DocsFrame): string {
  // The contents stand twice and only one is shown: folded on a phone, at the side of the text on a wide screen.
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${title}</title><style>${style}</style></head>
<body><a class="skip" href="#content">Skip to content</a>
<header><p class="brand">Rubrica</p><p class="quiet">${links}</p></header>
<div class="layout"><nav class="folded" aria-label="Contents"><details><summary>Contents</summary>${contents}</details></nav>
<nav class="beside" aria-label="Contents">${contents}</nav>
<main id="content">${main}</main></div></body></html>`;
  return page.text;
}
