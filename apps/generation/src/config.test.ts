import { readFile } from 'node:fs/promises';
import { describeSettings, type SettingRow } from '@rubrica/process/config';
import { describe, expect, it } from 'vitest';
import { rootSettings } from './ca/root/root-settings.ts';
import { ceremonySettings, readConfig, settings } from './config.ts';

const needed = {
  MANAGEMENT_PORT: '0',
  NATS_URL: 'nats://127.0.0.1',
  NATS_USER: 'generation',
  NATS_PASSWORD: 'x',
  DATABASE_URL: 'postgres://127.0.0.1/rubrica',
  KEYS_FILE: '/keys',
  PEERS_FILE: '/peers',
  BASE_URL: 'https://firma.example.test',
  PKI_BASE_URL: 'http://pki.example.test/',
  CA_DIRECTORY: '/ca',
};

/** Tables compare cell by cell: a formatter may pad them. */
const cells = (table: string) => table.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));

const cellsOfSetting = ({ env, required, default: fallback, about, secret }: SettingRow) => [
  '',
  `\`${env}\``,
  required ? 'required' : fallback ? `\`${fallback}\`` : '–',
  secret ? `${about} (secret)` : about,
  '',
];

describe('the settings', () => {
  it('publish certificates under an http address', () => {
    expect(readConfig(needed).address).toEqual({ base: needed.BASE_URL, pki: 'http://pki.example.test' });
    expect(
      readConfig({ ...needed, SANDBOX: 'true', BASE_URL: 'http://a.test', PKI_BASE_URL: '' }).address.pki,
    ).toBe('http://a.test');
    expect(() => readConfig({ ...needed, PKI_BASE_URL: '' })).toThrow('PKI_BASE_URL is required');
    expect(() => readConfig({ ...needed, PKI_BASE_URL: 'https://pki.example.test' })).toThrow('http://');
  });

  it('take more rounds of a PKCS#12 file for each maker of a password, and never fewer', () => {
    const defaults = { service: 2_048, partner: 10_000, applicant: 100_000 };
    expect(readConfig(needed).iterations).toEqual(defaults);
    const most = '600000';
    const raised = readConfig({
      ...needed,
      PKCS12_ITERATIONS_SERVICE: most,
      PKCS12_ITERATIONS_PARTNER: most,
      PKCS12_ITERATIONS_APPLICANT: most,
    });
    expect(raised.iterations).toEqual({ service: 600_000, partner: 600_000, applicant: 600_000 });
    for (const [name, least] of [
      ['PKCS12_ITERATIONS_SERVICE', 2_048],
      ['PKCS12_ITERATIONS_PARTNER', 10_000],
      ['PKCS12_ITERATIONS_APPLICANT', 100_000],
    ] as const) {
      expect(() => readConfig({ ...needed, [name]: String(least - 1) })).toThrow(name);
      expect(() => readConfig({ ...needed, [name]: '600001' })).toThrow(name);
    }
  });

  it('refuse a policy arc that is no object identifier', () => {
    expect(() => readConfig({ ...needed, POLICY_ARC: '1.3.x' })).toThrow(
      'POLICY_ARC: must be an object identifier',
    );
  });

  it('certify identity fields as extensions without address and phone, unless they say otherwise', () => {
    const fields = (env: Record<string, string>) => readConfig({ ...needed, ...env }).profile.identityFields;
    expect(fields({})).toEqual({ form: 'extensions', named: [] });
    expect(
      fields({
        IDENTITY_FIELDS: 'otherName',
        IDENTITY_FIELDS_ARC: '1.3.6.1.4.1.99999.3',
        IDENTITY_FIELDS_PRIVATE: 'phone, address',
      }),
    ).toEqual({ form: 'otherName', arc: '1.3.6.1.4.1.99999.3', named: ['phone', 'address'] });
    for (const [name, wrong] of Object.entries({
      IDENTITY_FIELDS: 'all',
      IDENTITY_FIELDS_ARC: '1.3.x',
      IDENTITY_FIELDS_PRIVATE: 'phone,city',
    }))
      expect(() => fields({ [name]: wrong })).toThrow(name);
  });

  it('take a prefix of tax numbers of the national form or of the standard, and no other', () => {
    const prefixed = (RUC_PREFIX: string) => readConfig({ ...needed, RUC_PREFIX }).profile.rucPrefix;
    expect(['VATEC', 'RUC', 'XR:EC'].map(prefixed)).toEqual(['VATEC', 'RUC', 'XR:EC']);
    for (const wrong of ['vatec', 'VATEC-', 'XR:', 'X:EC'])
      expect(() => prefixed(wrong)).toThrow('RUC_PREFIX');
  });

  it('of the root and of its passphrase belong to no service', () => {
    const named = describeSettings(settings).map(({ env }) => env);
    expect(named).toContain('PKCS11_PIN');
    for (const setting of ['ROOT_DIRECTORY', 'ROOT_PASSPHRASE']) expect(named).not.toContain(setting);
  });

  it.each([
    ['of the ceremony', ceremonySettings, './ca/README.md'],
    ["of the root's place", rootSettings, './ca/README.md'],
  ])('%s stand in their README as they are', async (_, schema, file) => {
    const readme = cells(await readFile(new URL(file, import.meta.url), 'utf8'));
    for (const row of describeSettings(schema)) expect(readme).toContainEqual(cellsOfSetting(row));
  });
});
