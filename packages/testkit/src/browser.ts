import { access, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import bundled, { inflate } from '@sparticuz/chromium';
import { type Browser, chromium, type Page } from 'playwright-core';
import { scratchDirectory } from './servers/scratch.ts';

export type { Page };

export interface PageOptions {
  /** Width and height in CSS pixels; a phone by default. */
  readonly size?: readonly [number, number];
  readonly language?: 'es' | 'en';
  readonly scheme?: 'light' | 'dark';
  readonly javaScript?: boolean;
}

export interface TestBrowser extends AsyncDisposable {
  /** Opens a page with its own cookies, cache and settings. */
  page(options?: PageOptions): Promise<Page>;
  /**
   * Closes pages between tests: open pages slow all others down. After a failed test it prints the content of each
   * page, because a timeout does not show what was there instead.
   */
  closePages(test?: EndedTest): Promise<void>;
}

/** Part of a test that Vitest passes to its `afterEach`. */
interface EndedTest {
  readonly result?: { readonly state: string } | undefined;
}

/** Disables features that contact servers: tests have no network but loopback. `--no-sandbox`: CI runs as root. */
const browserArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--font-render-hinting=none',
];

/** Opens a real Chromium from the registry: neither a system package nor a download is needed. */
export async function openBrowser(): Promise<TestBrowser> {
  await using owned = new AsyncDisposableStack();
  const folder = await unpackChromium();
  // A separate home, so that the user's settings have no effect and nothing remains.
  const home = owned.use(await scratchDirectory('browser'));
  const browser = owned.adopt(
    await chromium.launch({
      executablePath: join(folder, 'chromium'),
      args: browserArguments,
      env: {
        PATH: process.env.PATH ?? '',
        // As on people’s systems: without it names of downloads lose their accents.
        LANG: 'C.UTF-8',
        HOME: home.path,
        LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'),
        ...(await fontSettings(folder, home.path)),
      },
    }),
    (running: Browser) => running.close(),
  );
  const resources = owned.move();
  return {
    async page({ size = [390, 844], language = 'es', scheme = 'light', javaScript = true } = {}) {
      const [width, height] = size;
      const context = await browser.newContext({
        viewport: { width, height },
        locale: language === 'es' ? 'es-EC' : 'en-US',
        colorScheme: scheme,
        javaScriptEnabled: javaScript,
        deviceScaleFactor: width < 600 ? 2 : 1,
      });
      // As long as tests wait elsewhere: a busy machine is not a fault of the page.
      context.setDefaultTimeout(120_000);
      return context.newPage();
    },
    closePages: async (test) => {
      for (const context of browser.contexts()) {
        if (test?.result?.state === 'fail') for (const page of context.pages()) await printPage(page);
        await context.close();
      }
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

const maxPrinted = 4_000;

/** Prints a page's content. Never fails, which would hide the test's own failure. */
async function printPage(page: Page): Promise<void> {
  const text = await page
    .locator('body')
    .ariaSnapshot({ timeout: 5_000 })
    .catch((error: unknown) => `(not to be read: ${error})`);
  process.stderr.write(`${page.url()} shows:\n${text.slice(0, maxPrinted)}\n`);
}

/**
 * Lists what axe finds wrong with the current page, one line per place.
 * @param except rules that do not apply; the caller documents the reason
 */
export async function accessibilityFaults(page: Page, except: readonly string[] = []): Promise<string[]> {
  const file = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
  // Passed to the debugger, not to the page: the page's policy does not allow foreign scripts.
  if (await page.evaluate("typeof axe === 'undefined'"))
    await page.evaluate(`${await readFile(file, 'utf8')};0`);
  const rules = Object.fromEntries(except.map((rule) => [rule, { enabled: false }]));
  // Passing elements are checked too, but not described one by one.
  const options = JSON.stringify({ rules, resultTypes: ['violations'] });
  const run = `axe.run(document, ${options}).then(({ violations }) => violations)`;
  const violations = (await page.evaluate(run)) as {
    readonly id: string;
    readonly help: string;
    readonly nodes: readonly { readonly target: readonly string[] }[];
  }[];
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target }) => `${id}: ${help} (${target.join(' ')})`),
  );
}

/**
 * Unpacks Chromium once per version and user, into a temporary folder that is then renamed. The package itself would
 * take a partial file of a killed test run for complete.
 */
async function unpackChromium(): Promise<string> {
  const require = createRequire(import.meta.url);
  const root = join(dirname(require.resolve('@sparticuz/chromium')), '..');
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  const folder = join(tmpdir(), `rubrica-chromium-${version}-${userInfo().uid}`);
  if (await exists(join(folder, 'chromium'))) return folder;
  const draft = `${folder}-${process.pid}`;
  await mkdir(draft, { recursive: true, mode: 0o700 });
  await inTemporaryFolder(draft, () => [
    bundled.executablePath(),
    inflate(join(root, 'bin', 'al2023.tar.br')),
  ]);
  await rename(draft, folder).catch(async (error: unknown) => {
    await rm(draft, { recursive: true, force: true });
    if (!(await exists(folder))) throw error;
  });
  return folder;
}

/** Sets the system's folder for temporary files, which the package looks up when called, while the work starts. */
async function inTemporaryFolder(folder: string, begin: () => Promise<unknown>[]): Promise<void> {
  const before = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  let begun: Promise<unknown>[];
  try {
    begun = begin();
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
  await Promise.all(begun);
}

/** Configures the package's fonts if the system has none: its own settings look for them elsewhere. */
async function fontSettings(folder: string, home: string): Promise<Record<string, string>> {
  if (await exists('/usr/share/fonts')) return {};
  const file = join(home, 'fonts.conf');
  const dirs = `<dir>${join(folder, 'fonts')}</dir><cachedir>${join(home, 'fonts')}</cachedir>`;
  await writeFile(file, `<?xml version="1.0"?><fontconfig>${dirs}</fontconfig>`);
  return { FONTCONFIG_FILE: file };
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
