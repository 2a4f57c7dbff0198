import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Html, html } from '@rubrica/html';
import type { Language } from '../context.ts';
import { frameTexts } from './frame-texts.ts';

const style = readAsset(new URL('./pages.css', import.meta.url));
const script = readAsset(new URL('./pages.js', import.meta.url));

/** Reads a file that every page contains. Its indentation is only for authors and is removed. */
function readAsset(file: URL): Html {
  return new Html(readFileSync(file, 'utf8').replaceAll(/\n\s*/g, '\n'));
}

function formatHash(text: string) {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** Allows only the page's own style and script, by their hashes; calls and forms only to this service. */
export const pagePolicy = [
  "default-src 'none'",
  `style-src ${formatHash(style.text)}`,
  `script-src ${formatHash(script.text)}`,
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/** Policy of a page with a picture of this service. */
export const picturePolicy = `${pagePolicy}; img-src 'self'`;

export interface Page {
  readonly title: string;
  readonly main: Html;
  /** Seconds after which a browser without scripts reloads. */
  readonly refreshSeconds?: number;
  /** True if its policy must allow pictures of this service. */
  readonly hasPicture?: boolean;
}

/** Renders the document with a page's content. */
export function renderDocument(page: Page, { language }: { readonly language: Language }): string {
  const words = frameTexts[language];
  const refresh =
    page.refreshSeconds !== undefined &&
    html`<noscript><meta http-equiv="refresh" content="${page.refreshSeconds}"></noscript>`;
  return html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex"><meta name="format-detection" content="telephone=no">
<title>${page.title} · ${words.brand}</title>${refresh}<style>${style}</style><script>${script}</script></head>
<body><a class="skip" href="#content">${words.skip}</a><div class="column">
<header><p class="brand">${words.brand}</p>${renderLanguageSwitch(language, words.languageSwitch)}</header>
<main id="content">
${page.main}
</main></div></body></html>`.text;
}

/** Renders links relative to the page, so that the token appears less often. */
function renderLanguageSwitch(current: Language, label: string): Html {
  const link = (language: Language, name: string) =>
    html`<a href="?lang=${language}" lang="${language}" hreflang="${language}"${language === current && html` aria-current="true"`}>${name}</a>`;
  return html`<nav class="languages" aria-label="${label}">${link('es', 'Español')}${link('en', 'English')}</nav>`;
}
