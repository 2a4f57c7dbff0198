import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { EntryReason } from '../src/crl/revocation-reasons.ts';
import { formatSerial } from '../src/index.ts';
import {
  type CrlInput,
  makeCrl,
  makeIssuing,
  makeKey,
  makeRoot,
  makeSerial,
  makeSubscriberCertificate,
  type TestAuthority,
} from './fixtures.ts';
import { makeFolder, missingProgram, runProgram, toPem } from './programs.ts';

const openssl = missingProgram('openssl', 'openssl');
const java = missingProgram('javac', 'default-jdk-headless');
const bouncyCastleJar = '/usr/share/java/bcprov.jar';
const bouncyCastle =
  java ?? (existsSync(bouncyCastleJar) ? undefined : 'Bouncy Castle is not installed (libbcprov-java)');
// Bouncy Castle judges no day that is still to come: all is in force today.
const now = Date.now();
const minute = 60_000;
const inForce = { thisUpdate: new Date(now - minute), nextUpdate: new Date(now + 60 * minute) };
const validity = { notBefore: new Date(now - minute), notAfter: new Date(now + 60 * minute) };
const revokedAt = new Date('2026-06-01T10:20:30Z');
const freshestUri = 'http://pki.example.test/pki/issuing-delta.crl';

/** What has become of each certificate: on the complete list, and since then. */
const cases = {
  good: [undefined, undefined],
  listed: ['keyCompromise', undefined],
  revoked: [undefined, 'keyCompromise'],
  held: [undefined, 'certificateHold'],
  released: ['certificateHold', 'removeFromCRL'],
  'revoked after a hold': ['certificateHold', 'superseded'],
} as const satisfies Record<string, readonly [EntryReason | undefined, EntryReason | undefined]>;
type Case = keyof typeof cases;
const names = Object.keys(cases) as Case[];
const isGood = (name: Case) => name === 'good' || name === 'released';

let root: TestAuthority;
let issuing: TestAuthority;
const certificates = new Map<Case, { serial: string; der: Uint8Array }>();
const lists: Record<string, Uint8Array> = {};

const entriesOf = (place: 0 | 1): CrlInput['entries'] =>
  names.flatMap((name) => {
    const reason = cases[name][place];
    const { serial = '' } = certificates.get(name) ?? {};
    return reason === undefined ? [] : [{ serial, revokedAt, reason }];
  });

beforeAll(async () => {
  root = await makeRoot('rsa');
  issuing = await makeIssuing(root, 'rsa');
  const key = makeKey('rsa');
  for (const name of names) {
    const serial = makeSerial();
    const der = await makeSubscriberCertificate(issuing, key, { serial, validity });
    certificates.set(name, { serial: formatSerial(serial), der });
  }
  const complete = { ...inForce, entries: entriesOf(0), number: 7n, freshestUri };
  const delta = { ...inForce, entries: entriesOf(1), number: 9n };
  lists['complete.crl'] = await makeCrl(issuing, complete);
  lists['later.crl'] = await makeCrl(issuing, { ...complete, number: 11n });
  lists['delta.crl'] = await makeCrl(issuing, { ...delta, baseNumber: 7n });

  const younger = { thisUpdate: new Date(now - minute / 2), nextUpdate: inForce.nextUpdate };
  lists['younger-delta.crl'] = await makeCrl(issuing, { ...delta, ...younger, baseNumber: 7n });
  lists['other-base.crl'] = await makeCrl(issuing, { ...delta, baseNumber: 8n });
});

const fileOf = (name: Case) => `${name.replaceAll(' ', '-')}.cer`;

/** What OpenSSL says of each certificate, which it has by the lists alone. */
function verified(use: readonly string[], ...options: string[]): Record<string, string> {
  using folder = makeFolder();
  const crls = use.flatMap((name) => [
    '-CRLfile',
    folder.file(name, toPem(lists[name] ?? new Uint8Array(), 'X509 CRL')),
  ]);
  const chain = [
    ...['-CAfile', folder.file('root.pem', toPem(root.certificate))],
    ...['-untrusted', folder.file('issuing.pem', toPem(issuing.certificate))],
  ];
  return Object.fromEntries(
    names.map((name) => {
      const subscriber = folder.file(
        'subscriber.pem',
        toPem(certificates.get(name)?.der ?? new Uint8Array()),
      );
      const done = runProgram('openssl', [
        ...['verify', '-x509_strict', '-crl_check', ...options, ...chain, ...crls, subscriber],
      ]);
      return [name, done.status === 0 ? 'good' : (/lookup: (.+)/.exec(done.output)?.[1] ?? done.output)];
    }),
  );
}

const judgedRight = Object.fromEntries(
  names.map((name) => [name, isGood(name) ? 'good' : 'certificate revoked']),
);
const byTheCompleteAlone = Object.fromEntries(
  names.map((name) => [name, cases[name][0] === undefined ? 'good' : 'certificate revoked']),
);

const byTheDeltaAlone = Object.fromEntries(
  names.map((name) => [
    name,
    cases[name][1] === undefined || cases[name][1] === 'removeFromCRL' ? 'good' : 'certificate revoked',
  ]),
);

describe.skipIf(openssl)(openssl ?? 'OpenSSL', () => {
  it('brings a complete list up to date with its delta: revoked, held, released', () => {
    expect(verified(['complete.crl', 'delta.crl'], '-use_deltas')).toEqual(judgedRight);
  });

  it('takes no delta that is for another base, or older than the complete list', () => {
    expect(verified(['complete.crl', 'other-base.crl'], '-use_deltas')).toEqual(byTheCompleteAlone);
    expect(verified(['later.crl', 'delta.crl'], '-use_deltas')).toEqual(byTheCompleteAlone);
  });

  it('takes, by its release, a complete list or its younger delta for all there is: /docs/programs warns of it', () => {
    const both = ['complete.crl', 'younger-delta.crl'];
    expect([byTheCompleteAlone, byTheDeltaAlone]).toContainEqual(verified(both));
    // 3.0.19 of Debian 12 takes the younger delta for the whole list even so, and a listed certificate for good.
    expect([judgedRight, byTheDeltaAlone]).toContainEqual(verified(both, '-use_deltas'));
  });

  it('does not use one that it was not told to use', () => {
    expect(verified(['complete.crl', 'delta.crl'])).toEqual(byTheCompleteAlone);
  });

  it('shows the base in a critical extension', () => {
    using folder = makeFolder();
    const text = (name: string) =>
      runProgram('openssl', [
        ...['crl', '-inform', 'DER', '-noout', '-text'],
        ...['-in', folder.file(name, lists[name] ?? new Uint8Array())],
      ]).stdout;
    expect(text('delta.crl')).toMatch(/X509v3 Delta CRL Indicator: critical\s+(7|0x07)\s/);
    expect(text('delta.crl')).toContain('Remove From CRL');
    expect(text('complete.crl')).toMatch(
      new RegExp(`X509v3 Freshest CRL:\\s+Full Name:\\s+URI:${freshestUri}`),
    );
  });
});

/** What Java says of each certificate, by its own validator or by Bouncy Castle's. */
function judged(provider: 'JDK' | 'BC', use: readonly string[]): Record<string, string> {
  using folder = makeFolder();
  for (const name of use) folder.file(name, lists[name] ?? new Uint8Array());
  folder.file('issuing.cer', issuing.certificate);
  for (const [name, { der }] of certificates) folder.file(fileOf(name), der);
  const { stdout, output } = runProgram('java', [
    ...['-cp', provider === 'BC' ? bouncyCastleJar : folder.path],
    ...[join(import.meta.dirname, 'java/Judge.java'), provider, folder.path, use.join(',')],
    ...names.map(fileOf),
  ]);
  const said = new Map(stdout.split('\n').map((line) => line.split('\t') as [string, string]));
  return Object.fromEntries(
    names.map((name) => {
      const answer = said.get(fileOf(name)) ?? output;
      return [
        name,
        /revok|revoc/i.test(answer) && !/undetermined/i.test(answer) ? 'certificate revoked' : answer,
      ];
    }),
  );
}

describe.skipIf(bouncyCastle)(bouncyCastle ?? 'Bouncy Castle', () => {
  it('brings a complete list up to date with its delta: revoked, held, released', () => {
    expect(judged('BC', ['complete.crl', 'delta.crl'])).toEqual(judgedRight);
  });
});

describe.skipIf(java)(java ?? 'Java, which knows no delta lists', () => {
  it('judges by the complete list, which names its delta, and leaves the delta aside', () => {
    expect(judged('JDK', ['complete.crl', 'delta.crl'])).toEqual(byTheCompleteAlone);
  });

  it('does not take a delta for the whole', () => {
    for (const [name, said] of Object.entries(judged('JDK', ['delta.crl'])))
      expect([name, said]).toEqual([name, expect.stringMatching(/undetermined/i)]);
  });
});
