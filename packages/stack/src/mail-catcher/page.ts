import { createHash } from 'node:crypto';
import type { CaughtMessage } from './store.ts';
import { styles } from './styles.ts';

/** Script that shows new mail automatically: it reloads the page when the newest message changes. */
const script = `
const newest = document.body.dataset.newest;
setInterval(async () => {
  try {
    const [first] = await (await fetch('/messages')).json();
    if ((first ? first.id : '') !== newest) location.reload();
  } catch {}
}, 2000);
`;

export const scriptHash = createHash('sha256').update(script).digest('base64');

export function renderPage(options: { messages: readonly CaughtMessage[]; selected: string | null }): string {
  const { messages } = options;
  const selected = messages.find(({ id }) => id === options.selected) ?? messages[0];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${messages.length} · Rubrica mail</title>
<style>${styles}</style>
</head>
<body data-newest="${messages[0]?.id ?? ''}">
<header><h1>Rubrica <span>mail catcher</span></h1><p>${describeCount(messages.length)}</p></header>
<main>
<nav aria-label="Messages">${messages.length === 0 ? '' : `<ol>${messages.map((message) => item(message, message.id === selected?.id)).join('')}</ol>`}</nav>
${selected === undefined ? empty : article(selected)}
</main>
<script>${script}</script>
</body>
</html>`;
}

function describeCount(count: number): string {
  if (count === 0) return 'Nothing has been sent yet';
  return `${count} message${count === 1 ? '' : 's'}, none of which left this machine`;
}

const empty = `<section class="empty"><p>Everything the services send by e-mail or SMS appears here.</p>
<p>Tools read it as JSON: <code>GET /messages?to=…</code></p></section>`;

function item(message: CaughtMessage, current: boolean): string {
  return `<li><a href="/?id=${encodeURIComponent(message.id)}"${current ? ' aria-current="page"' : ''}>
<span class="row"><b>${escapeHtml(message.to)}</b>${time(message)}</span>
<span class="row"><span class="subject">${escapeHtml(message.subject ?? message.text)}</span>${badge(message)}</span>
</a></li>`;
}

function article(message: CaughtMessage): string {
  const body =
    message.html === null
      ? `<pre>${escapeHtml(message.text)}</pre>`
      : `<iframe title="Message" sandbox="" srcdoc="${escapeHtml(message.html)}"></iframe>
<details><summary>Plain text</summary><pre>${escapeHtml(message.text)}</pre></details>`;
  return `<article>
<h2>${escapeHtml(message.subject ?? 'SMS')}</h2>
<p class="meta">${badge(message)} to <b>${escapeHtml(message.to)}</b> · ${time(message)}</p>
${body}
</article>`;
}

function badge({ channel }: CaughtMessage) {
  return `<span class="badge ${channel}">${channel}</span>`;
}

function time({ date }: CaughtMessage): string {
  return `<time datetime="${date}">${date.slice(0, 10)} ${date.slice(11, 19)} UTC</time>`;
}

function escapeHtml(text: string): string {
  const entities: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replace(/[&<>"']/g, (character) => entities[character] as string);
}
