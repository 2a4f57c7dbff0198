import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { StackInfo } from '@rubrica/stack';
import { accessibilityFaults, type Page, type PageOptions, type TestBrowser } from '@rubrica/testkit/browser';
import { projectRoot } from './shell.ts';

type Operator = keyof StackInfo['operators'];

/** One browser at the console. */
export interface ConsoleVisitor {
  readonly page: Page;
  /** Errors and warnings of the browser: refused by a policy, not found, thrown. */
  readonly complaints: readonly string[];
  open(path: string): Promise<void>;
  signIn(operator: Operator): Promise<void>;
  /** Resolves once loading has finished. */
  settled(): Promise<void>;
  /** Saves a picture into a folder that git ignores; not in CI, where nobody would view it. */
  screenshot(name: string): Promise<void>;
  /** Lists axe's findings in the current page, light and then dark, each with its screenshot. */
  faultsInBothThemes(name: string): Promise<string[]>;
}

const desktop = [1360, 900] as const;
const screenshots = join(projectRoot, 'packages', 'acceptance', '.screenshots');

/** Script that waits for the colours of buttons, which fade from one theme into the other. */
const coloursArrive = `new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown)))
  .then(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)))
  .then(() => undefined)`;

export async function visitConsole(
  browser: TestBrowser,
  info: StackInfo,
  options: PageOptions = {},
): Promise<ConsoleVisitor> {
  const page = await browser.page({ size: desktop, ...options });
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  const settled = async () => {
    await page.waitForSelector('h1');
    await page.waitForSelector('[data-loading], [aria-busy=true]', { state: 'detached' });
  };
  const open = async (path: string) => {
    await page.goto(`${info.consoleUrl}${path}`);
    await page.waitForSelector('h1');
  };
  const screenshot = async (name: string) => {
    if (process.env.CI) return;
    await mkdir(screenshots, { recursive: true });
    await page.screenshot({ path: join(screenshots, `${name}.png`), fullPage: true });
  };
  return {
    page,
    complaints,
    open,
    settled,
    async signIn(operator) {
      const { email, password } = info.operators[operator];
      await open('/');
      await page.fill('input[type=email]', email);
      await page.fill('input[type=password]', password);
      await page.click('button[type=submit]');
      await page.waitForSelector('nav');
    },
    screenshot,
    async faultsInBothThemes(name) {
      const faults: string[] = [];
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await page.evaluate(coloursArrive);
        const found = await accessibilityFaults(page);
        faults.push(...found.map((fault) => `${colorScheme}: ${fault}`));
        await screenshot(`${name}-${colorScheme}`);
      }
      return faults;
    },
  };
}
