import { readFile } from 'node:fs/promises';
import { settingsTable } from '@rubrica/process';
import { describe, expect, it } from 'vitest';
import { provisioningSettings, settings } from './config.ts';

const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');

describe('the README', () => {
  it('lists the settings of the service as they are', () => {
    expect(readme).toContain(settingsTable(settings));
  });

  it('lists the settings of provisioning as they are', () => {
    expect(readme).toContain(settingsTable(provisioningSettings));
  });
});
