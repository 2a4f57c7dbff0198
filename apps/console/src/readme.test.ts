import { readFile } from 'node:fs/promises';
import { settingsTable } from '@rubrica/process';
import { expect, it } from 'vitest';
import { consoleSettings } from './config.ts';

it('the README lists the settings as they are', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  expect(readme).toContain(settingsTable(consoleSettings));
});
