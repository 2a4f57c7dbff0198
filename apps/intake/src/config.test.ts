import { readFile } from 'node:fs/promises';
import { ConfigError, settingsTable } from '@rubrica/process';
import { describe, expect, it } from 'vitest';
import { readConfig, settings } from './config.ts';

describe('the README', () => {
  it('lists every setting as the schema has it', async () => {
    const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
    expect(readme).toContain(settingsTable(settings));
  });
});

describe('the configuration', () => {
  const complete = {
    MANAGEMENT_PORT: '0',
    NATS_URL: 'nats://127.0.0.1:4222',
    NATS_USER: 'intake',
    NATS_PASSWORD: 'nats-secret',
    KEYS_FILE: '/keys.json',
    PEERS_FILE: '/peers.json',
    DATABASE_URL: 'postgres://127.0.0.1/rubrica',
    BASE_URL: 'https://firmas.example.org',
  };
  const outside = {
    REGISTRY_URL: 'https://registry.example.org/v1/',
    REGISTRY_TOKEN: 'one',
    TAX_REGISTRY_URL: 'http://127.0.0.1:8080',
    TAX_REGISTRY_TOKEN: 'two',
    LIVENESS_URL: 'https://liveness.example.org',
    LIVENESS_TOKEN: 'three',
  };
  const faultsOf = (env: Record<string, string>): readonly string[] => {
    try {
      readConfig(env);
    } catch (error) {
      if (error instanceof ConfigError) return error.faults;
      throw error;
    }
    return [];
  };
  const namesOf = (faults: readonly string[]) => faults.map((fault) => fault.split(/[ :]/)[0]);

  it('asks for registries and liveness unless they are answered in process', () => {
    expect(namesOf(faultsOf(complete))).toEqual(Object.keys(outside));
    expect(faultsOf({ ...complete, SANDBOX: 'true' })).toEqual([]);
    expect(readConfig({ ...complete, ...outside }).outside).toEqual({
      civilRegistry: { url: outside.REGISTRY_URL, token: 'one' },
      taxRegistry: { url: outside.TAX_REGISTRY_URL, token: 'two' },
      liveness: { url: outside.LIVENESS_URL, token: 'three' },
      timeoutSeconds: 8,
    });
  });

  it('tells what is missing there together with every other fault', () => {
    const { LIVENESS_TOKEN: _, ...rest } = outside;
    const { BASE_URL: __, ...without } = complete;
    const faults = faultsOf({ ...without, ...rest, MANAGEMENT_PORT: 'x', REGISTRY_TIMEOUT_SECONDS: '9' });
    expect(namesOf(faults).sort()).toEqual(
      ['BASE_URL', 'LIVENESS_TOKEN', 'MANAGEMENT_PORT', 'REGISTRY_TIMEOUT_SECONDS'].sort(),
    );
    expect(faults).toContainEqual(expect.stringMatching(/^LIVENESS_TOKEN is required: bearer token/));
  });

  it.each([
    'http://registry.example.org',
    'https://user:word@registry.example.org',
    'https://registry.example.org/?key=1',
    'https://registry.example.org/#',
    'ftp://registry.example.org',
    'registry.example.org',
  ])('sends no applicant to %s', (url) => {
    expect(namesOf(faultsOf({ ...complete, ...outside, REGISTRY_URL: url }))).toEqual(['REGISTRY_URL']);
  });

  it('never quotes a token, however wrong it is', () => {
    const faults = faultsOf({ ...complete, ...outside, REGISTRY_TOKEN: 'hunter2 hunter2' });
    expect(faults).toEqual(['REGISTRY_TOKEN: must be printable characters without blanks']);
  });
});
