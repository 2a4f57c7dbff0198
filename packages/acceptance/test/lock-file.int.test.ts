import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';

interface Entry {
  readonly link?: boolean;
  readonly integrity?: string;
  readonly resolved?: string;
}

/** Packages that come from a registry, by their place in node_modules. */
async function packagesFromRegistry(): Promise<[string, Entry][]> {
  const text = await readFile(join(import.meta.dirname, '../../../package-lock.json'), 'utf8');
  const { packages } = JSON.parse(text) as { readonly packages: Readonly<Record<string, Entry>> };
  return Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && !link);
}

it('the lock file holds the SHA-512 of every package, for all platforms, so that no registry is believed', async () => {
  const packages = await packagesFromRegistry();
  expect(packages.length).toBeGreaterThan(700);
  const without = packages.filter(([, { integrity }]) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''));
  expect(without.map(([path]) => path)).toEqual([]);
});

it('`npm install` keeps it so on any machine', async () => {
  const settings = await readFile(join(import.meta.dirname, '../../../.npmrc'), 'utf8');
  expect(settings.split('\n')).toContain('omit-lockfile-registry-resolved=true');
});

it('the lock file names no registry: which one is asked is a setting of the machine', async () => {
  const packages = await packagesFromRegistry();
  expect(packages.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
});
