import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { StackInfo } from '@rubrica/stack';
import type { Page, PageOptions, TestBrowser } from '@rubrica/testkit/browser';
import { projectRoot } from './shell.ts';

type Operator = keyof StackInfo['operators'];

/** One browser at the console. */
export interface ConsoleVisitor {
  readonly page: Page;
  /** What the browser wrote as an error or a warning: refused by a policy, not found, thrown. */
  readonly complaints: readonly string[];
  open(path: string): Promise<void>;
  signIn(operator: Operator): Promise<void>;
  /** Once nothing is loading any more. */
  settled(): Promise<void>;
  /** Into a folder that git leaves out. */
  screenshot(name: string): Promise<void>;
}

const desktop = [1360, 900] as const;
const screenshots = join(projectRoot, 'packages', 'acceptance', '.vitest', 'console');

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
    async screenshot(name) {
      await mkdir(screenshots, { recursive: true });
      await page.screenshot({ path: join(screenshots, `${name}.png`), fullPage: true });
    },
  };
}
