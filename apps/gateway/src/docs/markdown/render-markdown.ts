import { type Html, html } from '../../pages/html.ts';
import { type Code, codes } from './code.ts';
import type { CodeLanguage } from './highlight.ts';
import { inlineMarkdown } from './inline.ts';

export interface MarkdownContext {
  /** What links without a slash are relative to. */
  readonly base: string;
  /** Generated content, which a line `{{name}}` stands for. @throws where there is none of the name */
  readonly part: (name: string) => Html;
}

export interface Rendered {
  readonly title: string;
  /** The paragraph below the title, as it is written. */
  readonly lead: string;
  readonly body: Html;
}

interface Kind {
  readonly begins: RegExp;
  /** Whether a line after the first belongs to the block. */
  readonly goesOn: (line: string, lines: readonly string[]) => boolean;
  readonly render: (lines: readonly string[], context: MarkdownContext) => Html;
}

const isText = (line: string) => line.trim() !== '' && !/^(?:#{2,3} |```|[-|>] ?|\d+\. |\{\{)/.test(line);

/** The first that a line begins with; what is none of them is a paragraph. */
const kinds: readonly Kind[] = [
  { begins: /^#{2,3} /, goesOn: () => false, render: ([line = ''], { base }) => heading(line, base) },
  {
    begins: /^```/,
    goesOn: (line, lines) => !isFenceClosed(lines) || line.startsWith('```'),
    render: (lines) => codes(fencesOf(lines)),
  },
  { begins: /^\{\{/, goesOn: () => false, render: ([line = ''], { part }) => part(line.slice(2, -2).trim()) },
  {
    begins: /^- /,
    goesOn: (line) => /^(?:- | {2})/.test(line),
    render: (lines, { base }) =>
      html`<ul>${itemsOf(lines).map((text) => html`<li>${inlineMarkdown(text, base)}</li>`)}</ul>`,
  },
  {
    begins: /^\d+\. /,
    goesOn: (line) => /^(?:\d+\. | {3})/.test(line),
    render: (lines, { base }) =>
      html`<ol>${itemsOf(lines).map((text) => html`<li>${inlineMarkdown(text, base)}</li>`)}</ol>`,
  },
  {
    begins: /^> /,
    goesOn: (line) => line.startsWith('>'),
    render: (lines, { base }) =>
      html`<p class="note">${inlineMarkdown(lines.map((line) => line.replace(/^> ?/, '')).join(' '), base)}</p>`,
  },
  { begins: /^\|/, goesOn: (line) => line.startsWith('|'), render: (lines, { base }) => table(lines, base) },
  {
    begins: /^/,
    goesOn: isText,
    render: (lines, { base }) => html`<p>${inlineMarkdown(lines.join(' '), base)}</p>`,
  },
];

/** The Markdown that the pages are written in: a title, a paragraph that leads in, and blocks of the kinds above. */
export function renderMarkdown(text: string, context: MarkdownContext): Rendered {
  const [first = '', ...rest] = text.trim().split('\n');
  const lines = rest.join('\n').trim().split('\n');
  const leadEnd = lines.findIndex((line) => line.trim() === '');
  const lead = lines.slice(0, leadEnd === -1 ? lines.length : leadEnd).join(' ');
  const body = leadEnd === -1 ? [] : blocks(lines.slice(leadEnd), context);
  return { title: first.replace(/^# /, ''), lead, body: html`${body}` };
}

function blocks(lines: readonly string[], context: MarkdownContext): Html[] {
  const found: Html[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? '';
    if (line.trim() === '') {
      at += 1;
      continue;
    }
    const kind = kinds.find(({ begins }) => begins.test(line));
    if (kind === undefined) throw new Error(`no kind of block: ${line}`);
    const own = [line];
    while (at + own.length < lines.length && kind.goesOn(lines[at + own.length] ?? '', own)) {
      own.push(lines[at + own.length] ?? '');
    }
    found.push(kind.render(own, context));
    at += own.length;
  }
  return found;
}

/** `## Text {#id}`: what is linked to has an id of its own, the same in both languages. */
function heading(line: string, base: string): Html {
  const [, marks = '', text = '', given] = /^(#+) (.*?)(?: \{#([\w.-]+)\})?$/.exec(line) ?? [];
  const id = given ?? slug(text);
  const content = html`${inlineMarkdown(text, base)} <a class="anchor" href="#${id}" aria-label="#${id}">#</a>`;
  return marks.length === 2 ? html`<h2 id="${id}">${content}</h2>` : html`<h3 id="${id}">${content}</h3>`;
}

function slug(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{Mark}|[`]/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

/** Fences that follow each other without a line between them are one block of several languages. */
function isFenceClosed(lines: readonly string[]): boolean {
  return lines.filter((line) => line.startsWith('```')).length % 2 === 0;
}

function fencesOf(lines: readonly string[]): Code[] {
  const text = `${lines.join('\n')}\n`;
  return [...text.matchAll(/^```(\w+) ?(.*)\n([\s\S]*?)^```$/gm)].map(([, language, title, code = '']) => ({
    language: language as CodeLanguage,
    ...(title ? { title } : {}),
    text: code,
  }));
}

function itemsOf(lines: readonly string[]): string[] {
  const items: string[] = [];
  for (const line of lines) {
    if (/^(?:- |\d+\. )/.test(line)) items.push(line.replace(/^(?:- |\d+\. )/, ''));
    else items.push(`${items.pop() ?? ''} ${line.trim()}`);
  }
  return items;
}

function table(lines: readonly string[], base: string): Html {
  const [head = [], , ...rows] = lines.map((line) =>
    line
      .replaceAll(/^\||\|$/g, '')
      .split('|')
      .map((cell) => cell.trim()),
  );
  return markdownTable([head, ...rows], base);
}

/** Rows of Markdown as a table, the first for its head. */
export function markdownTable([head = [], ...rows]: readonly (readonly string[])[], base: string): Html {
  const cells = (row: readonly string[]) => row.map((cell) => html`<td>${inlineMarkdown(cell, base)}</td>`);
  return html`<div class="table" tabindex="0"><table><thead><tr>${head.map((cell) => html`<th>${inlineMarkdown(cell, base)}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${cells(row)}</tr>`)}</tbody></table></div>`;
}
