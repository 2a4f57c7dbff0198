import { Html } from '../pages/html.ts';

/**
 * The documentation's only script: tabs, copy buttons, the search, and calls to the sandbox. Every page can be read
 * without it.
 */
export const script = new Html(`
(() => {
'use strict';
function all(selector, within = document) {
  return [...within.querySelectorAll(selector)];
}

function make(name, properties = {}, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

function remembered(store, key) {
  try { return store.getItem(key) ?? ''; } catch { return ''; }
}

function remember(store, key, value) {
  try { store.setItem(key, value); } catch {}
}

function addCopyButton(figure) {
  const { copy, copied } = document.body.dataset;
  const button = make('button', { type: 'button', className: 'copy', textContent: copy });
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(figure.querySelector('code').textContent);
    button.textContent = copied;
    setTimeout(() => { button.textContent = copy; }, 2000);
  });
  figure.append(button);
}

function choose(language) {
  for (const box of all('.codes.tabbed')) {
    const figures = all('figure', box);
    if (!figures.some((one) => one.dataset.language === language)) continue;
    for (const one of figures) one.hidden = one.dataset.language !== language;
    for (const tab of all('.tabs button', box)) tab.setAttribute('aria-pressed', String(tab.dataset.language === language));
  }
}

function addTabs(box) {
  const figures = all('figure', box);
  const languages = figures.map((one) => one.dataset.language);
  if (figures.length < 2 || new Set(languages).size < figures.length) return;
  box.classList.add('tabbed');
  const tabs = make('div', { className: 'tabs' });
  for (const one of figures) {
    const { language } = one.dataset;
    const tab = make('button', { type: 'button', textContent: one.querySelector('figcaption').textContent });
    tab.dataset.language = language;
    tab.addEventListener('click', () => { remember(localStorage, 'docs-language', language); choose(language); });
    tabs.append(tab);
  }
  box.prepend(tabs);
  choose(languages[0]);
}

function plain(text) {
  return text.normalize('NFD').replace(/\\p{Mark}/gu, '').toLowerCase();
}

function points(entry, query, parts) {
  const { title, text } = entry;
  if (!parts.every((part) => title.includes(part) || text.includes(part))) return 0;
  if (title === query) return 100 + entry.weight;
  if (title.startsWith(query)) return 60 + entry.weight;
  if (title.includes(query)) return 40 + entry.weight;
  return (parts.every((part) => title.includes(part)) ? 20 : 1) + entry.weight;
}

function search(index, typed) {
  const query = plain(typed).trim();
  const parts = query.split(/\\s+/);
  return index
    .map((entry) => ({ entry, points: points(entry, query, parts) }))
    .filter((one) => one.points > 0)
    .sort((a, b) => b.points - a.points)
    .map((one) => one.entry)
    .filter((entry, at, list) => list.slice(0, at).filter((one) => one.title === entry.title).length < 3)
    .slice(0, 12);
}

function startSearch(form) {
  const input = form.querySelector('input');
  const list = form.querySelector('ul');
  let index;
  const load = () => {
    index ??= fetch(form.dataset.index)
      .then((answer) => answer.json())
      .then((rows) => rows.map(([title, page, href, text, weight]) => ({
        shown: title, page, href, weight, title: plain(title), text: plain(page + ' ' + text),
      })));
    return index;
  };
  const show = async () => {
    const typed = input.value;
    if (typed.trim() === '') { list.hidden = true; return; }
    const rows = await load();
    if (input.value !== typed) return;
    const found = search(rows, typed).map(({ shown, page, href }) =>
      make('li', {}, make('a', { href }, make('b', { textContent: shown }), make('span', { textContent: page }))));
    list.replaceChildren(...(found.length > 0 ? found : [make('li', { textContent: form.dataset.nothing })]));
    list.hidden = false;
  };
  form.hidden = false;
  input.addEventListener('focus', load);
  input.addEventListener('input', show);
  form.addEventListener('submit', (event) => { event.preventDefault(); list.querySelector('a')?.click(); });
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') { list.hidden = true; input.focus(); return; }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const stops = [input, ...all('a', list)];
    stops[stops.indexOf(document.activeElement) + step]?.focus();
  });
  form.addEventListener('click', (event) => { if (event.target.closest('a')) list.hidden = true; });
  document.addEventListener('click', (event) => { if (!form.contains(event.target)) list.hidden = true; });
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target.closest('input, textarea')) return;
    event.preventDefault();
    input.focus();
  });
}

function callOf(form) {
  const fields = new FormData(form);
  const { method, path, media } = form.dataset;
  const query = new URLSearchParams();
  for (const [name, value] of fields) if (name.startsWith('query.') && value !== '') query.set(name.slice(6), value);
  const headers = {};
  const token = fields.get('token');
  if (token) headers.authorization = 'Bearer ' + token.trim();
  const init = { method, headers, credentials: 'omit' };
  if (media) {
    headers['content-type'] = media;
    const body = fields.get('body');
    init.body = media === 'application/x-www-form-urlencoded' ? new URLSearchParams(JSON.parse(body)).toString() : body;
  }
  return [path + (query.size > 0 ? '?' + query : ''), init];
}

function startTrying(form) {
  form.closest('[hidden]').hidden = false;
  const token = form.querySelector('[name=token]');
  const output = form.querySelector('pre');
  if (token) token.value = remembered(sessionStorage, 'docs-token');
  const body = form.querySelector('[name=body]');
  if (body) body.value = body.value.replace(/("referenceTransaction": ?")[^"]*/, '$1TRY-' + Date.now());
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (token) remember(sessionStorage, 'docs-token', token.value.trim());
    output.hidden = false;
    output.textContent = '…';
    try {
      const answer = await fetch(...callOf(form));
      const text = await answer.text();
      let shown = text;
      try { shown = JSON.stringify(JSON.parse(text), null, 2); } catch {}
      output.textContent = answer.status + ' ' + answer.statusText + '\\n\\n' + shown;
    } catch (error) {
      output.textContent = form.dataset.failed + ': ' + error.message;
    }
  });
}

addEventListener('DOMContentLoaded', () => {
  for (const figure of all('figure.code')) addCopyButton(figure);
  for (const box of all('.codes')) addTabs(box);
  choose(remembered(localStorage, 'docs-language'));
  for (const form of all('form[role=search]')) startSearch(form);
  for (const form of all('form.try')) startTrying(form);
  for (const link of all('nav.beside [aria-current]')) {
    const nav = link.closest('nav');
    nav.scrollTop = link.offsetTop - nav.clientHeight / 2;
  }
});
})();
`);
