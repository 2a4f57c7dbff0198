import { readFile } from 'node:fs/promises';
import { operatorProcedures } from '@rubrica/contracts/operators/procedures';
import { termsCalls } from '@rubrica/contracts/services/terms';
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

  it.each([
    ...Object.keys(termsCalls).map((name) => `rpc.v1.terms.${name}`),
    ...Object.keys(operatorProcedures)
      .filter((name) => /^(terms|audit)\./.test(name))
      .map((name) => `ops.v1.terms.${name}`),
  ])('names the subject %s', (subject) => {
    expect(readme).toContain(`\`${subject}\``);
  });
});
