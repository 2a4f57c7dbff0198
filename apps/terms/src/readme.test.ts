import { readFile } from 'node:fs/promises';
import { settingsTable } from '@rubrica/process';
import { describe, expect, it } from 'vitest';
import { provisioningSettings, settings } from './config.ts';
import { operatorRouter, serviceRouter } from './router.ts';

const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');

describe('the README', () => {
  it('lists the settings of the service as they are', () => {
    expect(readme).toContain(settingsTable(settings));
  });

  it('lists the settings of provisioning as they are', () => {
    expect(readme).toContain(settingsTable(provisioningSettings));
  });

  it.each([
    ...Object.keys(serviceRouter._def.procedures).map((path) => `rpc.v1.terms.${path}`),
    ...Object.keys(operatorRouter._def.procedures).map((path) => `ops.v1.terms.${path}`),
  ])('names the subject %s', (subject) => {
    expect(readme).toContain(`\`${subject}\``);
  });
});
