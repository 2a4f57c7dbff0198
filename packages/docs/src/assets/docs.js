// The only script of the documentation: tabs, copy buttons, the search, and calls to the sandbox. Every page can be read
// without it.

function all(selector, within = document) {
  return [...within.querySelectorAll(selector)];
}

function make(name, properties = {}, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

/** Browsers may refuse storage. Choices are forgotten then. */
function recall(store, key) {
  try {
    return store.getItem(key) ?? '';
  } catch {
    return '';
  }
}

function remember(store, key, value) {
  try {
    store.setItem(key, value);
  } catch {}
}

function addCopyButton(figure) {
  const { copy, copied } = document.body.dataset;
  const button = make('button', { type: 'button', className: 'copy', textContent: copy });
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(figure.querySelector('code').textContent);
    button.textContent = copied;
    setTimeout(() => {
      button.textContent = copy;
    }, 2000);
  });
  figure.append(button);
}

function chooseLanguage(language) {
  for (const box of all('.codes.tabbed')) {
    const figures = all('figure', box);
    if (!figures.some((figure) => figure.dataset.language === language)) continue;
    for (const figure of figures) figure.hidden = figure.dataset.language !== language;
    for (const tab of all('.tabs button', box))
      tab.setAttribute('aria-pressed', String(tab.dataset.language === language));
  }
}

function addTabs(box) {
  const figures = all('figure', box);
  const languages = figures.map((figure) => figure.dataset.language);
  if (figures.length < 2 || new Set(languages).size < figures.length) return;
  box.classList.add('tabbed');
  const tabs = make('div', { className: 'tabs' });
  for (const figure of figures) {
    const { language } = figure.dataset;
    const { textContent } = figure.querySelector('figcaption');
    const tab = make('button', { type: 'button', textContent });
    tab.dataset.language = language;
    tab.addEventListener('click', () => {
      remember(localStorage, 'docs-language', language);
      chooseLanguage(language);
    });
    tabs.append(tab);
  }
  box.prepend(tabs);
  chooseLanguage(languages[0]);
}

function toPlain(text) {
  return text
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase();
}

/** Loads library and rows, and indexes them: 100 ms, once, when the reader begins to search. */
async function loadSearch({ index, engine }) {
  const [{ default: MiniSearch }, rows] = await Promise.all([
    import(engine),
    fetch(index).then((response) => response.json()),
  ]);
  const search = new MiniSearch({
    fields: ['title', 'page', 'text'],
    storeFields: ['title', 'page', 'href', 'weight'],
    processTerm: toPlain,
    searchOptions: { prefix: true, fuzzy: 0.15, combineWith: 'AND', boost: { title: 4, page: 1.5 } },
  });
  search.addAll(
    rows.map(([title, page, href, text, weight], id) => ({ id, title, page, href, text, weight })),
  );
  return (query) => rank(search.search(query), toPlain(query).trim());
}

/** Puts titles that begin with the query first, and shows at most three results of one title. */
function rank(results, query) {
  const score = ({ title, weight, score: relevance }) => {
    const plain = toPlain(title);
    const bonus = plain === query ? 1e6 : plain.startsWith(query) ? 1e4 : 0;
    return bonus + relevance * (1 + weight / 10);
  };
  return results
    .toSorted((a, b) => score(b) - score(a))
    .filter(({ title }, at, list) => list.slice(0, at).filter((other) => other.title === title).length < 3)
    .slice(0, 12);
}

function startSearch(form) {
  const input = form.querySelector('input');
  const list = form.querySelector('ul');
  let loaded;
  const load = () => {
    loaded ??= loadSearch(form.dataset);
    return loaded;
  };
  const show = async () => {
    const query = input.value;
    if (query.trim() === '') {
      list.hidden = true;
      return;
    }
    const search = await load();
    if (input.value !== query) return;
    const found = search(query).map(({ title, page, href }) => {
      const link = make(
        'a',
        { href },
        make('b', { textContent: title }),
        make('span', { textContent: page }),
      );
      return make('li', {}, link);
    });
    list.replaceChildren(...(found.length > 0 ? found : [make('li', { textContent: form.dataset.nothing })]));
    list.hidden = false;
  };
  form.hidden = false;
  input.addEventListener('focus', load);
  input.addEventListener('input', show);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    list.querySelector('a')?.click();
  });
  form.addEventListener('keydown', (event) => moveFocus(event, { input, list }));
  form.addEventListener('click', (event) => {
    if (event.target.closest('a')) list.hidden = true;
  });
  document.addEventListener('click', (event) => {
    if (!form.contains(event.target)) list.hidden = true;
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target.closest('input, textarea')) return;
    event.preventDefault();
    input.focus();
  });
}

function moveFocus(event, { input, list }) {
  if (event.key === 'Escape') {
    list.hidden = true;
    input.focus();
    return;
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const stops = [input, ...all('a', list)];
  stops[stops.indexOf(document.activeElement) + step]?.focus();
}

/** Creates the arguments of `fetch` from the fields of a form. */
function createCall(form) {
  const fields = new FormData(form);
  const { method, path, media } = form.dataset;
  const query = new URLSearchParams();
  for (const [name, value] of fields)
    if (name.startsWith('query.') && value !== '') query.set(name.slice('query.'.length), value);
  const headers = {};
  const token = fields.get('token');
  if (token) headers.authorization = `Bearer ${token.trim()}`;
  const options = { method, headers, credentials: 'omit' };
  if (media) {
    headers['content-type'] = media;
    const body = fields.get('body');
    const isForm = media === 'application/x-www-form-urlencoded';
    options.body = isForm ? new URLSearchParams(JSON.parse(body)).toString() : body;
  }
  return [path + (query.size > 0 ? `?${query}` : ''), options];
}

function formatJson(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function startTryForm(form) {
  form.closest('[hidden]').hidden = false;
  const token = form.querySelector('[name=token]');
  const output = form.querySelector('pre');
  if (token) token.value = recall(sessionStorage, 'docs-token');
  const body = form.querySelector('[name=body]');
  if (body) body.value = body.value.replace(/("referenceTransaction": ?")[^"]*/, `$1TRY-${Date.now()}`);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (token) remember(sessionStorage, 'docs-token', token.value.trim());
    output.hidden = false;
    output.textContent = '…';
    try {
      const response = await fetch(...createCall(form));
      output.textContent = `${response.status} ${response.statusText}\n\n${formatJson(await response.text())}`;
    } catch (error) {
      output.textContent = `${form.dataset.failed}: ${error.message}`;
    }
  });
}

/** Follows a link into the page that once had all operators' procedures. */
function followMovedProcedure() {
  if (location.pathname !== '/docs/operators' || location.hash === '') return;
  const row = document.getElementById(location.hash.slice(1));
  if (row?.tagName === 'LI') location.replace(row.querySelector('a').href);
}

for (const figure of all('figure.code')) addCopyButton(figure);
for (const box of all('.codes')) addTabs(box);
chooseLanguage(recall(localStorage, 'docs-language'));
for (const form of all('form[role=search]')) startSearch(form);
for (const form of all('form.try')) startTryForm(form);
// Beside the text the contents are always open: the style sheet shows them without this script too.
if (matchMedia('(min-width: 64rem)').matches)
  for (const details of all('.contents > details')) details.open = true;
for (const link of all('.contents [aria-current]')) {
  const nav = link.closest('nav');
  nav.scrollTop = link.offsetTop - nav.clientHeight / 2;
}
followMovedProcedure();
