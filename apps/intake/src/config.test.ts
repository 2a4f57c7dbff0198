import { readFile } from 'node:fs/promises';
import { settingsTable } from '@rubrica/service';
import { describe, expect, it } from 'vitest';
import { settings } from './config.ts';

describe('the README', () => {
  it('lists every setting as the schema has it', async () => {
    const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
    expect(readme).toContain(settingsTable(settings));
  });
});
