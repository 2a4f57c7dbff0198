import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isLoopbackAddress, productionRules, refusedSettings, sandboxRules } from './production-rules.ts';

const known = ['SANDBOX', ...productionRules.map(({ env }) => env)];
const names = (env: Readonly<Record<string, string>>) =>
  refusedSettings(known, env).map((fault) => fault.split(' ')[0]);

const broken: readonly (readonly [env: string, value: string])[] = [
  ['CALLBACK_ALLOW_LOOPBACK', 'true'],
  ['CRASHPOINT_DIR', '/tmp/points'],
  ['TRUST_PROXY', '0.0.0.0/0'],
  ['BASE_URL', 'http://firmas.example.org'],
  ['CONSOLE_URL', 'http://10.0.0.1:3010'],
  ['OPERATOR_OIDC_ISSUER', 'http://127.0.0.1:8080/realms/ca'],
];

describe('outside of a sandbox', () => {
  it.each(broken)('%s=%s is refused, and the fault says what to do', (env, value) => {
    const [fault] = refusedSettings(known, { [env]: value });
    expect(fault).toMatch(new RegExp(`^${env} .* \\(refused unless SANDBOX=true\\)$`));
    expect(names({ [env]: value, SANDBOX: 'false' })).toEqual([env]);
  });

  it('every rule has a case here and a line in the README, and all are told at once', () => {
    expect(broken.map(([env]) => env)).toEqual(productionRules.map(({ env }) => env));
    expect(names(Object.fromEntries(broken))).toEqual(broken.map(([env]) => env));
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
    const section = readme.slice(readme.indexOf('## Production'), readme.indexOf('## Keys'));
    for (const { env } of productionRules) expect(section).toContain(`\`${env}\``);
  });

  it('what a real authority has is taken', () => {
    const fine = {
      CALLBACK_ALLOW_LOOPBACK: 'false',
      CRASHPOINT_DIR: '',
      TRUST_PROXY: '',
      BASE_URL: 'https://firmas.example.org',
      CONSOLE_URL: 'https://consola.example.org',
      OPERATOR_OIDC_ISSUER: 'https://login.example.org',
    };
    expect(names(fine)).toEqual([]);
    expect(names({ BASE_URL: 'http://127.0.0.1:3000', CONSOLE_URL: 'http://localhost:3010' })).toEqual([]);
  });

  it.each([
    '0.0.0.0/0',
    '::/0',
    '0.0.0.0/1',
    '10.0.0.1, 128.0.0.0/1',
    '10.0.0.0/7',
    '0.0.0.0/0.0.0.0',
    '64.0.0.0/254.0.0.0',
    '::ffff:0:0/96',
    '::ffff:0.0.0.0/100',
    '2000::/3',
    'fe00::/8',
    'fc00::/6',
  ])('TRUST_PROXY=%s trusts nearly everybody', (text) => {
    expect(names({ TRUST_PROXY: text })).toEqual(['TRUST_PROXY']);
  });

  it.each([
    '10.0.0.0/8',
    '10.0.0.0/255.0.0.0',
    '172.31.240.10',
    ',172.31.240.10',
    'loopback, uniquelocal',
    'fc00::/7',
    'fd00::/8',
    '2001:db8::/32',
    '::ffff:10.0.0.0/104',
    '::1',
  ])('TRUST_PROXY=%s names proxies', (text) => {
    expect(names({ TRUST_PROXY: text })).toEqual([]);
  });
});

describe('in a sandbox', () => {
  it.each(broken)('%s=%s is taken', (env, value) => {
    expect(names({ [env]: value, SANDBOX: 'true' })).toEqual([]);
  });

  it('the address of a real authority is refused, with what to do', () => {
    expect(sandboxRules.map(({ env }) => env)).toEqual(['BASE_URL']);
    expect(refusedSettings(known, { SANDBOX: 'true', BASE_URL: 'https://firmas.example.org' })).toEqual([
      expect.stringMatching(/^BASE_URL .* Set SANDBOX=false, or an http address$/),
    ]);
  });
});

it('a program that is no service has neither', () => {
  expect(refusedSettings(['BASE_URL'], { BASE_URL: 'http://firmas.example.org' })).toEqual([]);
});

it.each([
  ['http://127.0.0.1:3000', true],
  ['http://127.8.0.1', true],
  ['http://localhost', true],
  ['http://gateway.localhost', true],
  ['http://[::1]:3000', true],
  ['http://notlocalhost', false],
  ['http://127.0.0.1.example.org', false],
  ['http://localhost.example.org', false],
  ['http://10.0.0.1', false],
])('%s is of this machine alone: %s', (url, expected) => {
  expect(isLoopbackAddress(url)).toBe(expected);
});
