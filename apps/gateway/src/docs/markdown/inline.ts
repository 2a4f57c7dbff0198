import { type Html, html } from '../../pages/html.ts';

const marks = /`(?<code>[^`]+)`|\*\*(?<strong>[^*]+)\*\*|\[(?<label>[^\]]+)\]\((?<target>[^)\s]+)\)/g;

/** One line of Markdown: `code`, **strong** and [links](page). A link without a slash is a page of `base`. */
export function inlineMarkdown(text: string, base: string): Html {
  const parts: Html[] = [];
  let end = 0;
  for (const match of text.matchAll(marks)) {
    const { code, strong, label = '', target = '' } = match.groups ?? {};
    parts.push(html`${text.slice(end, match.index)}`);
    if (code !== undefined) parts.push(html`<code>${code}</code>`);
    else if (strong !== undefined) parts.push(html`<strong>${inlineMarkdown(strong, base)}</strong>`);
    else parts.push(html`<a href="${addressOf(target, base)}">${inlineMarkdown(label, base)}</a>`);
    end = match.index + match[0].length;
  }
  return html`${parts}${text.slice(end)}`;
}

function addressOf(target: string, base: string): string {
  if (/^(?:[a-z]+:|\/|#)/.test(target)) return target;
  // The first page is the base itself.
  return `${base}/${target}`.replace(/\/start(?=#|$)/, '');
}
