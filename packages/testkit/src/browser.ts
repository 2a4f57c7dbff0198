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
  /** A page with no past: its own cookies, cache and settings. */
  page(options?: PageOptions): Promise<Page>;
  /**
   * Between tests: pages that are left open slow all others down. Where the test has failed, what each of them shows is
   * told: what it waited for says nothing of what was there instead.
   */
  closePages(test?: EndedTest): Promise<void>;
}

/** What Vitest knows of a test as its `afterEach` runs. */
interface EndedTest {
  readonly result?: { readonly state: string } | undefined;
}

/** Nothing that asks anybody: tests have no network but loopback. `--no-sandbox`: CI runs as root. */
const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--font-render-hinting=none',
];

/** A real Chromium, the one of the registry: neither a system's package nor a download is needed. */
export async function openBrowser(): Promise<TestBrowser> {
  await using owned = new AsyncDisposableStack();
  const folder = await unpacked();
  // Its own home: nothing of the user's settings, and nothing left behind.
  const home = owned.use(await scratchDirectory('browser'));
  const browser = owned.adopt(
    await chromium.launch({
      executablePath: join(folder, 'chromium'),
      args: quiet,
      env: {
        PATH: process.env.PATH ?? '',
        // As people’s systems have it: without it names of downloads lose their accents.
        LANG: 'C.UTF-8',
        HOME: home.path,
        LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'),
        ...(await fontSettings(folder, home.path)),
      },
    }),
    (running: Browser) => running.close(),
  );
  const held = owned.move();
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
      // As long as tests wait elsewhere: a busy machine is no fault of the page.
      context.setDefaultTimeout(120_000);
      return context.newPage();
    },
    closePages: async (test) => {
      for (const context of browser.contexts()) {
        if (test?.result?.state === 'fail') for (const page of context.pages()) await tellOf(page);
        await context.close();
      }
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

const mostTold = 4_000;

/** Never fails: it would hide why the test did. */
async function tellOf(page: Page): Promise<void> {
  const text = await page
    .locator('body')
    .ariaSnapshot({ timeout: 5_000 })
    .catch((error: unknown) => `(not to be read: ${error})`);
  process.stderr.write(`${page.url()} shows:\n${text.slice(0, mostTold)}\n`);
}

/**
 * What axe finds wrong with the page as it stands, one line per place.
 * @param except rules that do not hold here; who leaves one out says why
 */
export async function accessibilityFaults(page: Page, except: readonly string[] = []): Promise<string[]> {
  const file = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
  // Given to the debugger, not to the page: the page's policy lets no foreign script in.
  if (await page.evaluate("typeof axe === 'undefined'"))
    await page.evaluate(`${await readFile(file, 'utf8')};0`);
  const rules = Object.fromEntries(except.map((rule) => [rule, { enabled: false }]));
  // What is in order is judged too, and not described element by element.
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
 * Unpacked once per version and user, aside and then renamed: the package itself takes half of a file, left by a
 * test run that was killed, for the whole.
 */
async function unpacked(): Promise<string> {
  const require = createRequire(import.meta.url);
  const root = join(dirname(require.resolve('@sparticuz/chromium')), '..');
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  const folder = join(tmpdir(), `rubrica-chromium-${version}-${userInfo().uid}`);
  if (await exists(join(folder, 'chromium'))) return folder;
  const draft = `${folder}-${process.pid}`;
  await mkdir(draft, { recursive: true, mode: 0o700 });
  await within(draft, () => [bundled.executablePath(), inflate(join(root, 'bin', 'al2023.tar.br'))]);
  await rename(draft, folder).catch(async (error: unknown) => {
    await rm(draft, { recursive: true, force: true });
    if (!(await exists(folder))) throw error;
  });
  return folder;
}

/** The package unpacks into the system's folder for temporary files, which it looks up as it is called. */
async function within(folder: string, begin: () => Promise<unknown>[]): Promise<void> {
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

/** The fonts of the package, where the system has none: its own settings look for them elsewhere. */
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
