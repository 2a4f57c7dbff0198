import { ConfigError } from '@rubrica/process/config';
import { describe, expect, it } from 'vitest';
import { toIssuerBindings } from './access/partners/issuers/issuer-settings.ts';
import { readConfig } from './config.ts';

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
    CONSOLE_URL: 'https://console.example.org',
  };
  const sandbox = { SANDBOX: 'true', BASE_URL: 'http://127.0.0.1:3000' };
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

  it('asks for registries, liveness and the console unless they are answered in process', () => {
    expect(namesOf(faultsOf(complete))).toEqual(Object.keys(outside));
    const { CONSOLE_URL: _, ...alone } = complete;
    expect(namesOf(faultsOf({ ...alone, ...outside }))).toEqual(['CONSOLE_URL']);
    expect(faultsOf({ ...alone, ...sandbox })).toEqual([]);
    expect(namesOf(faultsOf({ ...alone, SANDBOX: 'true' }))).toEqual(['BASE_URL']);
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

  it('binds an issuer to an audience and to partners, or refuses it', () => {
    const partnerId = '01900000-0000-7000-8000-00000000000A';
    const full = { ...complete, ...sandbox };
    const issuer = { OIDC_ISSUER: 'https://id.example', OIDC_AUDIENCE: 'a', OIDC_PARTNER_IDS: partnerId };
    expect(toIssuerBindings(readConfig(full).issuers)).toEqual([]);
    const more = [{ issuer: 'https://two.example', audience: 'b', partnerIds: [partnerId] }];
    const both = readConfig({ ...full, ...issuer, OIDC_MORE_ISSUERS: JSON.stringify(more) });
    const partnerIds = [partnerId.toLowerCase()];
    const defaults = { partnerClaim: 'partner_id', tokenType: 'at+jwt', keyHosts: [], partnerIds };
    expect(toIssuerBindings(both.issuers)).toEqual([
      { issuer: 'https://id.example', audience: 'a', ...defaults },
      { issuer: 'https://two.example', audience: 'b', ...defaults },
    ]);
    const wrong: [Record<string, string>, RegExp][] = [
      [{ OIDC_AUDIENCE: '' }, /OIDC_AUDIENCE/],
      [{ OIDC_PARTNER_IDS: '' }, /OIDC_PARTNER_IDS/],
      [{ OIDC_PARTNER_IDS: 'all' }, /OIDC_PARTNER_IDS/],
      [{ OIDC_ISSUER: 'http://id.example' }, /OIDC_ISSUER/],
      [{ OIDC_TOKEN_TYPE: 'id+jwt' }, /OIDC_TOKEN_TYPE/],
      [{ OIDC_MORE_ISSUERS: '[' }, /OIDC_MORE_ISSUERS/],
      [{ OIDC_MORE_ISSUERS: '[{"issuer":"https://two.example","audience":"b"}]' }, /partnerIds/],
      [{ OIDC_MORE_ISSUERS: JSON.stringify([...more, ...more]) }, /names an issuer twice/],
    ];
    for (const [change, fault] of wrong)
      expect(faultsOf({ ...full, ...issuer, ...change }).join()).toMatch(fault);
    const { OIDC_PARTNER_IDS: _, ...unbound } = issuer;
    expect(faultsOf({ ...full, ...unbound }).join()).toMatch(/OIDC_PARTNER_IDS is required/);
  });

  it('never quotes a token, however wrong it is', () => {
    const faults = faultsOf({ ...complete, ...outside, REGISTRY_TOKEN: 'hunter2 hunter2' });
    expect(faults).toEqual(['REGISTRY_TOKEN: must be printable characters without blanks']);
  });
});
