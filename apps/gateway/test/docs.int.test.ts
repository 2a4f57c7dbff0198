import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildDocsSite } from '@rubrica/build';
import { operations } from '@rubrica/contracts/rest/operations';
import { sandboxPeople } from '@rubrica/contracts/rest/sandbox-people';
import { webhookEventTypes } from '@rubrica/contracts/rest/webhooks';
import { errorCatalogue } from '@rubrica/contracts/shared/errors';
import vectors from '@rubrica/contracts/webhook-vectors.json' with { type: 'json' };
import { disposeAfterAll, scratchDirectory } from '@rubrica/testkit';
import { describe, expect, test } from 'vitest';
import { type CodeBlock, loadPages, pathsIn } from './support/docs-pages.ts';
import { basic } from './support/documented-calls.ts';
import { baseUrl } from './support/fake-tokens.ts';
import { testGateway } from './support/gateway.ts';
import { call } from './support/http.ts';

const site = await buildDocsSite();
// Any file stands for the package here.
const gateway = await disposeAfterAll(
  testGateway({ SANDBOX: 'true', DOCS_SITE: site, SDK_PACKAGE: import.meta.filename }),
);
const pages = await loadPages(gateway.url);

const languages = ['en', 'es'] as const;

describe.each(languages)('the documentation in %s', (language) => {
  test('has a page for every operation, and names every event and code where it can be linked to', () => {
    for (const [id, { path }] of Object.entries(operations))
      expect(pages.get(`/docs/${language}/reference/${id}`)?.text).toContain(path);
    const errors = pages.get(`/docs/${language}/errors`)?.text;
    for (const code of Object.keys(errorCatalogue)) expect(errors).toContain(`id="${code}"`);
    const events = pages.get(`/docs/${language}/events`)?.text;
    for (const type of webhookEventTypes) expect(events).toContain(`id="${type}"`);
  });

  test('names every person of the sandbox', () => {
    const page = pages.get(`/docs/${language}/sandbox`)?.text;
    for (const cedula of Object.values(sandboxPeople)) expect(page).toContain(`<code>${cedula}</code>`);
  });

  test('is in this language, and leads to the same page in the other', () => {
    const other = language === 'en' ? 'es' : 'en';
    const own = [...pages].filter(([path]) => pathsIn(language).test(path));
    expect(own.length).toBeGreaterThan(40);
    for (const [path, { text, headers }] of own) {
      expect(headers.get('content-language')).toBe(language);
      expect(text).toContain(`<html lang="${language}">`);
      expect(text).toContain(`href="${path.replace(`/docs/${language}`, `/docs/${other}`)}"`);
    }
  });

  test('finds every error code, operation and field in its search', async () => {
    const index = (await call(`${gateway.url}/docs/${language}/search.json`)).json<
      [string, string, string][]
    >();
    const found = (title: string) => index.filter(([known]) => known === title).map(([, , href]) => href);
    for (const code of Object.keys(errorCatalogue))
      expect(found(code)).toContain(`/docs/${language}/errors#${code}`);
    const hrefs = index.map(([, , href]) => href);
    for (const id of Object.keys(operations)) expect(hrefs).toContain(`/docs/${language}/reference/${id}`);
    for (const field of ['fingerCode', 'livenessUrl', 'client_assertion'])
      expect(found(field)).not.toEqual([]);
    for (const href of hrefs) {
      const [path = '', anchor] = href.split('#');
      expect(pages.get(path)?.text, href).toContain(anchor === undefined ? '<h1' : `id="${anchor}"`);
    }
  });
});

test('every link of the documentation leads somewhere', async () => {
  const elsewhere = new Set<string>();
  for (const [path, { text }] of pages) {
    for (const [, href = ''] of text.matchAll(/ href="([^"]*)"/g)) {
      const [target = '', anchor] = href.replaceAll('&amp;', '&').split('#');
      const page = pages.get(target === '' ? path : target);
      if (page === undefined) elsewhere.add(target);
      else if (anchor !== undefined) expect(page.text, `${path}: ${href}`).toContain(`id="${anchor}"`);
    }
  }
  const ours = [...elsewhere].filter((href) => href.startsWith('/'));
  expect(ours.length).toBeGreaterThan(5);
  for (const href of ours) expect([href, (await call(gateway.url + href)).status]).toEqual([href, 200]);
  expect([...elsewhere].filter((href) => !href.startsWith('/'))).toEqual([
    'https://www.standardwebhooks.com',
  ]);
});

test('a page needs nothing but files of this service, and its policy allows no inline script or style', () => {
  for (const [path, { text, headers }] of pages) {
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(text, path).not.toMatch(/<img|<style|url\(| style="| on\w+="/);
    const sources = [
      ...text.matchAll(/<script([^>]*)>(.*?)<\/script>|<link rel="stylesheet" href="([^"]*)">/gs),
    ];
    expect(sources).toHaveLength(2);
    for (const [, attributes, content, style] of sources) {
      const address = style ?? / src="([^"]*)"/.exec(attributes ?? '')?.[1];
      expect([address, content ?? '']).toEqual([
        expect.stringMatching(/^\/docs\/assets\/docs-\w+\.(?:css|js)$/),
        '',
      ]);
    }
  }
});

test('a first visit loads little', async () => {
  const load = async (path: string) => {
    const answer = await fetch(gateway.url + path, { headers: { 'accept-encoding': 'br' } });
    expect([path, answer.headers.get('content-encoding')]).toEqual([path, 'br']);
    return Number(answer.headers.get('content-length'));
  };
  const assets = pages.get('/docs/es')?.text.match(/\/docs\/assets\/docs-\w+\.(?:css|js)/g) ?? [];
  expect(assets).toHaveLength(2);
  const sizes = await Promise.all(['/docs/es', ...assets].map(load));
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(16_000);
});

test('no page is heavy', async () => {
  const operators = await loadPages(gateway.url, { starts: ['/docs/operators'], below: '/docs/operators' });
  expect(operators.size).toBeGreaterThan(8);
  for (const [path, { text }] of [...pages, ...operators])
    expect([path, Buffer.byteLength(text) < 300_000]).toEqual([path, true]);
});

test.each([
  ['br, gzip', 'br'],
  ['gzip;q=0.5', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['identity', null],
])('what may be compressed is, for a client that takes "%s"', async (accepted, encoding) => {
  const plain = await call(`${gateway.url}/openapi.json`, { headers: { 'accept-encoding': 'identity' } });
  const answer = await call(`${gateway.url}/openapi.json`, { headers: { 'accept-encoding': accepted } });
  expect(answer.headers.get('content-encoding')).toBe(encoding);
  expect(answer.headers.get('vary')).toContain('accept-encoding');
  expect(answer.text).toBe(plain.text);
});

test('the document says which release it describes', async () => {
  const root = await readFile(new URL('../../../package.json', import.meta.url), 'utf8');
  const { version } = JSON.parse(root) as { version: string };
  const document = (await call(`${gateway.url}/openapi.json`)).json<{ info: { version: string } }>();
  expect(document.info.version).toBe(version);
});

test('an answer that holds a secret is never compressed', async () => {
  const answer = await fetch(`${gateway.url}/oauth/token`, {
    method: 'POST',
    headers: { 'accept-encoding': 'br, gzip', authorization: basic },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  expect([answer.status, answer.headers.get('content-encoding')]).toEqual([200, null]);
});

test('the top of the service leads a person on, and tells a program where the descriptions are', async () => {
  const person = await fetch(`${gateway.url}/`, {
    headers: { accept: 'text/html,*/*', 'accept-language': 'es-EC' },
  });
  expect(person.url).toBe(`${gateway.url}/docs/es`);
  const program = await call(`${gateway.url}/`, { headers: { accept: 'application/json' } });
  expect(Object.keys(program.json())).toEqual(['documentation', 'openapi', 'authorizationServer']);
});

test('/docs leads to the language that is asked for', async () => {
  const inLanguage = async (accepted: string) =>
    new URL((await fetch(`${gateway.url}/docs`, { headers: { 'accept-language': accepted } })).url).pathname;
  expect([await inLanguage('es-EC'), await inLanguage('en-GB'), await inLanguage('fr')]).toEqual([
    '/docs/es',
    '/docs/en',
    '/docs/es',
  ]);
});

test.each(['/docs/', '/docs/en/', '/docs/es/'])(
  '%s leads to the page without the slash at its end',
  async (path) => {
    const answer = await fetch(gateway.url + path);
    expect([answer.status, new URL(answer.url).pathname.endsWith('/')]).toEqual([200, false]);
  },
);

test('an address below /docs that does not exist is 404', async () => {
  expect((await call(`${gateway.url}/docs/en/nothing`)).status).toBe(404);
  expect((await call(`${gateway.url}/docs/en/..%2f..%2fREADME`)).status).toBe(404);
});

const examples = new URL('../../../packages/docs/src/examples/', import.meta.url);
const programs = new URL('../../../packages/sdk/programs/', import.meta.url);

const typescriptFiles = ['verify-webhook.ts', 'first-certificate.ts'];
const programFiles = [
  'python/verify_webhook.py',
  'python/first_certificate.py',
  'python/rubrica.py',
  'java/VerifyWebhook.java',
  'java/FirstCertificate.java',
  'java/Rubrica.java',
];
const shownFiles = [...typescriptFiles, ...programFiles].map((path) => path.split('/').at(-1) ?? '');

test.each(typescriptFiles)('%s is shown as it stands', async (name) => {
  expect(shownAs(name)).toContain((await readFile(new URL(name, examples), 'utf8')).trimEnd());
});

test.each(programFiles)('%s, which tests run against a stack, is shown as it stands', async (path) => {
  const name = path.split('/').at(-1) ?? '';
  expect(shownAs(name)).toContain((await readFile(new URL(path, programs), 'utf8')).trimEnd());
});

function shownAs(title: string): string[] {
  const blocks = [...pages.values()].flatMap(({ codes }) => codes);
  return blocks.filter((block) => block.title === title).map(({ text }) => text);
}

/** Whose blocks `docs.e2e.test.ts` pastes into a shell beside a stack. */
const pasted = ['', '/start', '/authentication'].flatMap((path) =>
  languages.map((one) => `/docs/${one}${path}`),
);
/** JSON is what is sent and answered; text is what no program of the test's may do, such as an installation. */
const shapes = ['json', 'text'];

test('every block of code is run by a test, or is one that nobody runs', () => {
  const isRun = (path: string, { title }: CodeBlock) =>
    // By docs-samples.int.test.ts, in all four languages.
    /^\/docs\/e[ns]\/reference\//.test(path) || pasted.includes(path) || shownFiles.includes(title);
  const outside = [...pages].flatMap(([path, { codes }]) =>
    codes
      .filter((code) => !shapes.includes(code.language) && !isRun(path, code))
      .map(({ text }) => [path, text]),
  );
  expect(outside).toEqual([]);
  const figures = [...pages.values()].flatMap(({ text }) => text.match(/<pre[^>]*><code/g) ?? []);
  expect(figures).toHaveLength([...pages.values()].flatMap(({ codes }) => codes).length);
});

test('the files that the pages speak of can be loaded', async () => {
  const example = await readFile(new URL('verify-webhook.ts', examples), 'utf8');
  expect((await call(`${gateway.url}/docs/verify-webhook.ts`)).text).toBe(example);
  expect((await call(`${gateway.url}/docs/webhook-vectors.json`)).json()).toEqual(vectors);
  const { headers } = await call(`${gateway.url}/docs/rubrica.postman_collection.json`);
  expect(headers.get('content-disposition')).toBe('attachment');
  for (const path of ['/favicon.svg', '/favicon.ico'])
    expect((await call(gateway.url + path)).headers.get('content-type')).toBe('image/svg+xml');
});

test('llms.txt names every page', async () => {
  const { text } = await call(`${gateway.url}/llms.txt`);
  for (const path of pages.keys())
    if (pathsIn('en').test(path)) expect(text).toContain(`(${baseUrl}${path}): `);
});

test('calls may be tried from the page of an operation, in the sandbox alone', async () => {
  const path = '/docs/en/reference/registerTransactional';
  expect(pages.get(path)?.text).toContain('<form class="try"');
  await using production = await testGateway({ DOCS_SITE: site });
  expect((await call(production.url + path)).text).not.toContain('<form class="try"');
});

test('the change log is dated, and a feed of the same entries', async () => {
  for (const language of languages) {
    const { text } = pages.get(`/docs/${language}/versions`) ?? { text: '' };
    const dates = [...text.matchAll(/<time datetime="(\d{4}-\d{2}-\d{2})">/g)].map(([, date = '']) => date);
    expect(dates.length).toBeGreaterThan(10);
    expect(dates.toSorted().toReversed()).toEqual(dates);
    const feed = await call(`${gateway.url}/docs/versions.${language}.xml`);
    expect(feed.headers.get('content-type')).toContain('application/rss+xml');
    const links = [...feed.text.matchAll(/<guid>([^<]+)<\/guid>/g)].map(([, link = '']) => link);
    expect(links).toHaveLength(dates.length);
    for (const link of links) expect(text).toContain(`id="${link.split('#')[1]}"`);
  }
  expect((await fetch(`${gateway.url}/docs/versions`)).url).toMatch(/\/docs\/e[ns]\/versions$/);
});

test.each(programFiles)('%s can be downloaded as it stands', async (path) => {
  const name = path.split('/')[1] ?? '';
  const { text, headers } = await call(`${gateway.url}/docs/${name}`);
  expect(text).toBe(await readFile(new URL(path, programs), 'utf8'));
  expect(headers.get('content-disposition')).toBe('attachment');
});

test('the SDK can be downloaded where its file is, and is 404 where there is none', async () => {
  await using folder = await scratchDirectory('sdk');
  const file = join(folder.path, 'rubrica-sdk.tgz');
  await using offering = await testGateway({ SDK_PACKAGE: file });
  const address = `${offering.url}/docs/rubrica-sdk.tgz`;
  expect((await call(address)).status).toBe(404);
  await writeFile(file, Buffer.from([0x1f, 0x8b, 8, 0]));
  const answer = await fetch(address);
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(await readFile(file));
  expect(answer.headers.get('content-disposition')).toBe('attachment');
});

test('a wrong address is a page, and the error object for a client that accepts nothing else', async () => {
  for (const path of ['/docs/en/nowhere', '/docs/nowhere']) {
    const page = await call(gateway.url + path, { headers: { accept: 'text/html' } });
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(page.text).toContain('<h1>');
    const json = await call(gateway.url + path, { headers: { accept: 'application/json' } });
    expect([json.status, json.error().code]).toEqual([404, 'ROUTE_NOT_FOUND']);
  }
});

test('pages are 503 until the documentation is built, and the OpenAPI document is there before', async () => {
  await using folder = await scratchDirectory('docs-site');
  await using building = await testGateway({ DOCS_SITE: join(folder.path, 'site') });
  const early = await call(`${building.url}/docs/en`, { headers: { accept: 'text/html' } });
  expect([early.status, early.headers.get('retry-after'), early.error().code]).toEqual([
    503,
    '2',
    'SERVICE_UNAVAILABLE',
  ]);
  expect((await call(`${building.url}/openapi.json`)).status).toBe(200);
  await symlink(site, join(folder.path, 'site'));
  expect((await call(`${building.url}/docs/en`)).status).toBe(200);
});
