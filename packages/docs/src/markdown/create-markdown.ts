import { Html } from '@rubrica/html';
import MarkdownIt, { type StateCore, type Token } from 'markdown-it';
import { type Code, type CodeLanguage, renderCodes } from './code.ts';

export interface MarkdownOptions {
  /** Address that links without a slash are relative to. */
  readonly base: string;
  /** Renders generated content, which replaces a line `{{name}}`. */
  readonly renderPart?: (name: string) => Html;
}

/** Source of a page: a title, a lead paragraph, and the rest. */
export interface WrittenPage {
  readonly title: string;
  /** The lead paragraph, as Markdown. */
  readonly lead: string;
  readonly body: Html;
}

export interface Markdown {
  renderPage(text: string): WrittenPage;
  render(text: string): Html;
  renderInline(text: string): Html;
}

/** Creates the renderer of the pages' Markdown: CommonMark with tables, parts and headings with ids. */
export function createMarkdown({ base, renderPart }: MarkdownOptions): Markdown {
  const markdown = new MarkdownIt({ html: false, linkify: false });
  markdown.normalizeLink = (address) => resolveLink(address, base);
  markdown.core.ruler.after('block', 'code groups', groupFences);
  markdown.core.ruler.after('block', 'parts', replaceParts);
  markdown.core.ruler.after('block', 'heading ids', addHeadingIds);
  Object.assign(markdown.renderer.rules, {
    codes: (tokens: Token[], index: number) => renderCodes(readCodes(tokens[index])).text,
    part: (tokens: Token[], index: number) => {
      if (renderPart === undefined) throw new Error('this text has no generated parts');
      return renderPart((tokens[index] as Token).content).text;
    },
    heading_close: (tokens: Token[], index: number) => {
      const id = tokens[index - 2]?.attrGet('id');
      const anchor = ` <a class="anchor" href="#${id}" aria-label="#${id}">#</a>`;
      return `${anchor}</${tokens[index]?.tag}>\n`;
    },
    blockquote_open: () => '<div class="note">',
    blockquote_close: () => '</div>\n',
    table_open: () => '<div class="table" tabindex="0"><table>',
    table_close: () => '</table></div>\n',
  });
  return {
    renderPage(text) {
      const [first = '', ...rest] = text.trim().split('\n');
      const [, lead = '', body = ''] = /^\s*(.+?)(?:\n\s*\n(.*))?$/s.exec(rest.join('\n')) ?? [];
      const rendered = new Html(markdown.render(body));
      return { title: first.replace(/^# /, ''), lead: lead.replaceAll('\n', ' '), body: rendered };
    },
    render: (text) => new Html(markdown.render(text)),
    renderInline: (text) => new Html(markdown.renderInline(text)),
  };
}

/** Resolves a link to a page of the same language. The first page is the base itself. */
function resolveLink(address: string, base: string): string {
  if (/^(?:[a-z]+:|\/|#)/.test(address)) return address;
  return `${base}/${address}`.replace(/\/start(?=#|$)/, '');
}

/** Joins fences without an empty line between them: one example in several languages. */
function groupFences(state: StateCore): void {
  const grouped: Token[] = [];
  let lastLine = -1;
  for (const token of state.tokens) {
    if (token.type !== 'fence') {
      grouped.push(token);
      continue;
    }
    const [language = 'text', ...title] = token.info.split(' ');
    const code = { language: language as CodeLanguage, text: token.content };
    const named = title.length > 0 ? { ...code, title: title.join(' ') } : code;
    const [begin = 0, end = 0] = token.map ?? [];
    const previous = grouped.at(-1);
    if (previous?.type === 'codes' && begin === lastLine) readCodes(previous).push(named);
    else
      grouped.push(Object.assign(new state.Token('codes', '', 0), { meta: { codes: [named] }, block: true }));
    lastLine = end;
  }
  state.tokens = grouped;
}

function readCodes(token: Token | undefined): Code[] {
  return (token?.meta?.codes ?? []) as Code[];
}

/** Turns a paragraph `{{name}}` into a part. */
function replaceParts(state: StateCore): void {
  state.tokens = state.tokens.flatMap((token, index, tokens) => {
    const name = (at: number) => /^\{\{(.+)\}\}$/.exec(tokens[at]?.content ?? '')?.[1]?.trim();
    if (token.type === 'paragraph_open' && name(index + 1) !== undefined) return [];
    if (token.type === 'paragraph_close' && name(index - 1) !== undefined) return [];
    const content = token.type === 'inline' ? name(index) : undefined;
    return content === undefined ? [token] : [Object.assign(new state.Token('part', '', 0), { content })];
  });
}

/** Takes the id from `## Text {#id}`, which is the same in both languages, else from the text. */
function addHeadingIds(state: StateCore): void {
  for (const [index, token] of state.tokens.entries()) {
    const text = state.tokens[index + 1];
    if (token.type !== 'heading_open' || text === undefined) continue;
    const [, content = '', given] = /^(.*?)(?: \{#([\w.-]+)\})?$/.exec(text.content) ?? [];
    text.content = content;
    token.attrSet('id', given ?? toSlug(content));
  }
}

function toSlug(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{Mark}|[`]/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}
