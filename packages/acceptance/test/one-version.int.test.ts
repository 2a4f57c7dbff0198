import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { release } from '@rubrica/process/release';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');

it.each(['package.json', 'packages/sdk/package.json', 'packages/operators-client/package.json'])(
  '%s has the version of the interface',
  async (path) => {
    const { version } = JSON.parse(await readFile(join(root, path), 'utf8')) as { readonly version: string };
    expect(version).toBe(release);
  },
);
