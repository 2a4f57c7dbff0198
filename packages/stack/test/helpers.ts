import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { sharedDirectory } from '@rubrica/testkit/postgres';
import { freePort, isRunning, type ProcessIdentity } from '@rubrica/testkit/processes';
import { afterAll } from 'vitest';
import { serviceNames } from '../src/setup/services.ts';
import type { StackSettings } from '../src/setup/settings.ts';

// The usual ports are those of every other run of these tests on the machine.
process.env.PORT ??= String(await freePort());

/** Creates a folder with a fake of every service and the console, for one file of tests. The fake of intake counts its provisioning runs. */
export function makeFixtureApps(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rubrica-apps-'));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  // One test runs the stack under another account.
  chmodSync(folder, 0o755);
  const fixture = (name: string) => pathToFileURL(join(import.meta.dirname, 'fixtures', name)).href;
  for (const name of [...serviceNames, 'console']) {
    mkdirSync(join(folder, name), { recursive: true });
    const modules = {
      serve: fixture('fake-service.ts'),
      ...(name === 'intake' ? { provision: fixture('count-run.ts') } : {}),
    };
    writeFileSync(
      join(folder, name, 'main.mjs'),
      `const module = ${JSON.stringify(modules)}[process.argv[2] ?? 'serve'];\nif (module) await import(module);\n`,
    );
  }
  return folder;
}

/** A folder for one stack, below one that only its owner may enter; data outside it are removed as well. */
export async function temporaryHome(
  name = 'home',
): Promise<AsyncDisposable & { path: string; root: string }> {
  const root = await mkdtemp(join(tmpdir(), 'rubrica-stack-'));
  const path = join(root, name);
  await mkdir(path, { mode: 0o700 });
  return {
    path,
    root,
    async [Symbol.asyncDispose]() {
      const settings = await readSettings(path).catch(() => undefined);
      if (settings !== undefined) {
        await rm(join(sharedDirectory, 'stacks', settings.id), { recursive: true, force: true });
      }
      await rm(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Where PostgreSQL can keep data whoever runs the test. */
export async function temporaryDataFolder(): Promise<AsyncDisposable & { path: string }> {
  const parent = process.getuid?.() === 0 ? sharedDirectory : tmpdir();
  await mkdir(parent, { recursive: true, mode: 0o755 });
  const path = await mkdtemp(join(parent, 'test-'));
  await chmod(path, 0o755);
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) };
}

export async function readSettings(home: string): Promise<StackSettings> {
  return JSON.parse(await readFile(join(home, 'state', 'settings.json'), 'utf8')) as StackSettings;
}

export interface Run {
  supervisor: ProcessIdentity;
  children: Array<ProcessIdentity & { name: string }>;
}

export async function readRun(home: string): Promise<Run> {
  return JSON.parse(await readFile(join(home, 'state', 'run.json'), 'utf8')) as Run;
}

export async function waitFor<T>(
  look: () => Promise<T | undefined> | T | undefined,
  what: string,
  deadlineMs = 50_000,
): Promise<T> {
  const deadline = performance.now() + deadlineMs;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > deadline) throw new Error(`waited ${deadlineMs} ms in vain: ${what}`);
    await delay(25);
  }
}

export const allGone = (processes: readonly ProcessIdentity[]) => !processes.some(isRunning) || undefined;
