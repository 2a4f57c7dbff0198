import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { formerRelease, hasFormerRelease } from '../src/former-release.ts';

// A clone without history has none.
it.skipIf(!hasFormerRelease())(
  'the former release is checked out as it was, with its packages (not in a shallow clone)',
  async () => {
    const { folder, version } = await formerRelease();
    const manifest: unknown = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    expect(manifest).toMatchObject({ name: 'rubrica', version });
    expect(existsSync(join(folder, 'node_modules/@rubrica/contracts/package.json'))).toBe(true);
  },
);
