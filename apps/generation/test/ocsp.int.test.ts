import { readFile } from 'node:fs/promises';
import { HOUR_MS } from '@rubrica/contracts/shared/durations';
import { createDatabase } from '@rubrica/database/connection';
import { encodeCertId, issuerHashes, ocspRequest, parseCertificate, parseOcspResponse } from '@rubrica/pki';
import { loadKeyring } from '@rubrica/process/keyring';
import { createLogger } from '@rubrica/process/log';
import { systemClock } from '@rubrica/process/time';
import { disposeAfterAll } from '@rubrica/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createStatusProof } from '../src/certificate/status-proof.ts';
import { openIssuers } from '../src/issuers/open-issuers.ts';
import { type AnswerOcspDeps, createAnswerOcsp } from '../src/ocsp/answer-ocsp.ts';
import { createOcspLedger, makeAnswerMac } from '../src/ocsp/ocsp-ledger.ts';
import { createOcspSigner, type OcspSigner } from '../src/ocsp/sign-answers.ts';
import { createStatusLedger } from '../src/revocation/status-ledger.ts';
import { entities, schema } from '../src/store/schema.ts';
import {
  admin as adminOf,
  issued as issuedIn,
  pemOf,
  published,
  publishedPem,
  released,
  type TestCertificate,
} from './support/issued-certificates.ts';
import { openSsl } from './support/openssl.ts';
import { partnerId } from './support/orders.ts';
import { openScene } from './support/scene.ts';
import { openEntries, openRows } from './support/status-macs.ts';

const quiet = createLogger({ service: 'test', level: 'silent', format: 'json' });

const openIssuersOf = (directory: string, keyring: Parameters<typeof openIssuers>[1]) =>
  openIssuers({ authority: { directory, token: {} } }, keyring, systemClock);

const scene = await disposeAfterAll(openScene());
const openssl = await disposeAfterAll(openSsl());
await openssl.put('root.pem', await publishedPem(scene, 'root.cer'));
await openssl.put('issuing.pem', await publishedPem(scene, 'issuing.cer'));
await openssl.put(
  'chain.pem',
  (await publishedPem(scene, 'issuing.cer')) + (await publishedPem(scene, 'root.cer')),
);
const entries = await openEntries(scene.env);
const database = await disposeAfterAll(
  createDatabase({
    url: scene.env.env.DATABASE_URL ?? '',
    schema,
    entities,
    logger: quiet,
    entries,
  }),
);
const { ground, authorityDirectory } = scene.env;
const files = { keysFile: ground.keys.keysFile.generation, peersFile: ground.keys.peersFile };
const keyring = await loadKeyring(files, 'generation');
const issuers = await openIssuersOf(authorityDirectory, keyring);
const rows = await openRows(scene.env);
const proof = createStatusProof({ database, rows, issuers });
const signer = createOcspSigner(issuers, { lifetimeMs: HOUR_MS, clock: systemClock });

const admin = () => adminOf(scene);
const issued = () => issuedIn(scene);
const ask = async (request: Uint8Array) => {
  const client = scene.gateway.serviceClient({ kind: 'public' });
  const answer = await client.pki.ocsp.query({ request: Buffer.from(request).toString('base64') });
  return { ...answer, der: Buffer.from(answer.response, 'base64') };
};

async function hashes() {
  const parsed = parseCertificate(await published(scene, 'issuing.cer'));
  if (!parsed.ok) throw new Error(parsed.error.reason);
  return issuerHashes(parsed.value);
}
const certId = async (
  { serialNumber }: Pick<TestCertificate, 'serialNumber'>,
  hash: 'sha1' | 'sha256' = 'sha1',
) => encodeCertId({ issuer: await hashes(), hash, serial: serialNumber });
const requestFor = async (certificate: Pick<TestCertificate, 'serialNumber'>, nonce?: Uint8Array) =>
  ocspRequest({ certIds: [await certId(certificate)], nonce });

function opened(der: Uint8Array) {
  const parsed = parseOcspResponse(der);
  if (!parsed.ok) throw new Error(parsed.error.reason);
  return parsed.value;
}
function statusesOf(der: Uint8Array) {
  const response = opened(der);
  return response.status === 'successful' ? response.responses.map(({ status }) => status) : response.status;
}

/** What OpenSSL makes of our answer to its own question, with root and issuing authority alone. */
async function byOpenSsl(certificate: TestCertificate, ...options: string[]) {
  await openssl.put('subscriber.pem', await pemOf(scene, certificate));
  const about = ['-issuer', 'issuing.pem', ...options, '-cert', 'subscriber.pem'];
  await openssl.run('ocsp', ...about, '-reqout', 'request.der');
  const { der } = await ask(await readFile(openssl.path('request.der')));
  await openssl.put('response.der', der);
  return openssl.run(
    ...['ocsp', '-respin', 'response.der', '-CAfile', 'root.pem', '-verify_other', 'issuing.pem'],
    ...['-issuer', 'issuing.pem', ...options, '-cert', 'subscriber.pem'],
  );
}

describe('OpenSSL', () => {
  it.each([['-no_nonce'], ['-no_nonce', '-sha256'], ['-no_nonce', '-sha384'], ['-no_nonce', '-sha512']])(
    'finds an answer to %s good, then revoked',
    async (...options) => {
      const certificate = await issued();
      const before = await byOpenSsl(certificate, ...options);
      expect(before.text).toContain('Response verify OK');
      expect(before.text).toContain('subscriber.pem: good');
      await admin().revoke.mutate({ id: certificate.id, revocationReason: 'keyCompromise' });
      const after = await byOpenSsl(certificate, ...options);
      expect(after.text).toContain('Response verify OK');
      expect(after.text).toContain('subscriber.pem: revoked');
      expect(after.text).toContain('Reason: keyCompromise');
    },
  );
});

describe('an answer', () => {
  it('follows hold, release and revocation at once', async () => {
    const certificate = await issued();
    const request = await requestFor(certificate);
    const now = async () => statusesOf((await ask(request)).der);
    expect(await now()).toEqual(['good']);
    const held = await admin().hold.mutate({ id: certificate.id });
    expect(await now()).toEqual([{ revokedAt: new Date(held.revokedAt ?? 0), reason: 'certificateHold' }]);
    await released(scene, { id: certificate.id });
    expect(await now()).toEqual(['good']);
    await admin().revoke.mutate({ id: certificate.id });
    expect(await now()).toMatchObject([{ reason: 'unspecified' }]);
  });

  it('is kept, the same octets for all who ask, and may be cached for no longer than the promise', async () => {
    const certificate = await issued();
    const request = await requestFor(certificate);
    const [first, second] = [await ask(request), await ask(request)];
    expect(second).toEqual(first);
    expect(first.caching).toMatchObject({ maxAgeSeconds: 2, etag: expect.stringMatching(/^"[\w-]{43}"$/) });
    await admin().hold.mutate({ id: certificate.id });
    expect((await ask(request)).caching?.etag).not.toBe(first.caching?.etag);
  });

  it('repeats the CertID octet by octet, with NULL beside its hash and without, and is kept for each', async () => {
    const certificate = await issued();
    const issuer = await hashes();
    const { serialNumber: serial } = certificate;
    for (const hash of ['sha1', 'sha256', 'sha384', 'sha512'] as const) {
      const answers = [];
      for (const parameters of ['null', 'absent'] as const) {
        const asked = encodeCertId({ issuer, hash, serial, parameters });
        const [first, second] = [
          await ask(ocspRequest({ certIds: [asked] })),
          await ask(ocspRequest({ certIds: [asked] })),
        ];
        expect(second.response).toBe(first.response);
        const response = opened(first.der);
        if (response.status !== 'successful') throw new Error(response.status);
        expect(response.responses.map(({ certId: { raw } }) => Buffer.from(raw))).toEqual([
          Buffer.from(asked),
        ]);
        answers.push(first.response);
      }
      expect(new Set(answers).size).toBe(2);
    }
  });

  it('says since when certificates are told of: since its authority began, expired ones too', async () => {
    const certificate = await issued();
    const issuing = parseCertificate(await published(scene, 'issuing.cer'));
    if (!issuing.ok) throw new Error(issuing.error.reason);
    for (const nonce of [undefined, Buffer.from('a nonce of the client')]) {
      const response = opened((await ask(await requestFor(certificate, nonce))).der);
      expect(response).toMatchObject({
        responses: [{ status: 'good', archiveCutoff: issuing.value.notBefore.date }],
      });
    }
    const never = opened((await ask(await requestFor({ serialNumber: '4B'.repeat(20) }))).der);
    expect(never).toMatchObject({ responses: [{ status: 'unknown', archiveCutoff: undefined }] });
  });

  it('to a nonce repeats it, is signed for that request and must not be kept', async () => {
    const certificate = await issued();
    const nonce = Buffer.from('a nonce of the client');
    const { der, caching } = await ask(await requestFor(certificate, nonce));
    expect(caching).toBeNull();
    expect(statusesOf(der)).toEqual(['good']);
    expect(opened(der)).toMatchObject({ nonce });
  });

  it('about several certificates says of each what is known of it', async () => {
    const [good, revoked] = [await issued(), await issued()];
    await admin().revoke.mutate({ id: revoked.id });
    const foreign = issuerHashes(await parsedRoot());
    const certIds = [
      await certId(good),
      await certId(revoked, 'sha256'),
      await certId({ serialNumber: '4A'.repeat(20) }),
      encodeCertId({ issuer: foreign, hash: 'sha1', serial: good.serialNumber }),
    ];
    expect(statusesOf((await ask(ocspRequest({ certIds }))).der)).toMatchObject([
      'good',
      { reason: 'unspecified' },
      'unknown',
      'unknown',
    ]);
  });

  it('about a serial number that was never issued is unknown, about a foreign issuer unauthorized', async () => {
    const never = await ask(await requestFor({ serialNumber: '4B'.repeat(20) }));
    expect(statusesOf(never.der)).toEqual(['unknown']);
    expect(never.caching).toBeNull();
    const [reserved] = await scene.env.database.query<{ serial: string }>(
      `select serial from generation.serial_number where state <> 'ISSUED' union all
       select '4C' || repeat('00', 19) limit 1`,
    );
    expect(statusesOf((await ask(await requestFor({ serialNumber: reserved?.serial ?? '' }))).der)).toEqual([
      'unknown',
    ]);
    const foreign = issuerHashes(await parsedRoot());
    const request = ocspRequest({
      certIds: [encodeCertId({ issuer: foreign, hash: 'sha1', serial: '4B'.repeat(20) })],
    });
    expect(statusesOf((await ask(request)).der)).toBe('unauthorized');
  });
});

async function parsedRoot() {
  const parsed = parseCertificate(await published(scene, 'root.cer'));
  if (!parsed.ok) throw new Error(parsed.error.reason);
  return parsed.value;
}

describe('garbage', () => {
  it('is answered malformedRequest, whatever it is, and the endpoint stays up', async () => {
    const certificate = await issued();
    const valid = await requestFor(certificate);
    const statuses = new Set<unknown>();
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.uint8Array({ maxLength: 300 }), mutationsOf(valid)),
        async (bytes) => void statuses.add(JSON.stringify(statusesOf((await ask(bytes)).der))),
      ),
      { numRuns: 500 },
    );
    // A changed octet may still be a request: about another serial number, another issuer, or the same.
    const allowed = ['"malformedRequest"', '"unauthorized"', '["unknown"]', '["good"]'];
    expect([...statuses].filter((status) => !allowed.includes(String(status)))).toEqual([]);
    expect(statuses).toContain('"malformedRequest"');
    expect(statusesOf((await ask(valid)).der)).toEqual(['good']);
  });
});

const mutationsOf = (valid: Uint8Array) =>
  fc.tuple(fc.nat(valid.length - 1), fc.nat(255)).map(([at, octet]) => {
    const bytes = Uint8Array.from(valid);
    bytes[at] = octet;
    return bytes;
  });

/** As if the answer that is kept had been signed so many hours ago. */
async function ageAnswer({ id }: TestCertificate, hours: number) {
  const { query } = scene.env.database;
  interface Kept {
    readonly hash: string;
    readonly version: number;
    readonly der: Buffer;
    readonly end: string;
  }
  const kept = await query<Kept>(
    `select hash_algorithm as hash, status_version as version, der, next_update as end
     from generation.ocsp_answer where certificate_id = $1`,
    [id],
  );
  for (const { hash: hashAlgorithm, version: statusVersion, der, end } of kept) {
    const thisUpdate = new Date(Date.now() - hours * HOUR_MS);
    const answer = { hashAlgorithm, der, thisUpdate, nextUpdate: new Date(end) };
    await query(
      `update generation.ocsp_answer set this_update = $2, mac = $3 where certificate_id = $1 and hash_algorithm = $4`,
      [id, thisUpdate, makeAnswerMac(rows, { id, statusVersion, answer }), hashAlgorithm],
    );
  }
}

/** The use case on the real database, with a signer that can be watched and stopped. */
function answering(changed: Partial<OcspSigner>, deps: Partial<AnswerOcspDeps> = {}) {
  return createAnswerOcsp({
    ledger: createOcspLedger({ database, rows, proof }),
    signer: { ...signer, ...changed },
    clock: systemClock,
    logger: quiet,
    maxAgeSeconds: 2,
    freshAtOnce: 2,
    ...deps,
  });
}

describe('the responder’s key', () => {
  it('is reached once by a burst for one certificate', async () => {
    const request = await requestFor(await issued());
    let signatures = 0;
    const answer = answering({
      signOne: (about) => {
        signatures++;
        return signer.signOne(about);
      },
    });
    const answers = await Promise.all(Array.from({ length: 60 }, () => answer(request)));
    expect(signatures).toBe(1);
    expect(new Set(answers.map(({ response }) => response)).size).toBe(1);
  });

  it('is asked for no more fresh answers at once than the limit; the others are told to try later', async () => {
    const request = await requestFor(await issued(), Buffer.from('nonce'));
    const gate = Promise.withResolvers<void>();
    const answer = answering({
      async signFresh(...request) {
        await gate.promise;
        return signer.signFresh(...request);
      },
    });
    const all = Array.from({ length: 5 }, () => answer(request));
    expect(statusesOf(Buffer.from((await Promise.race(all)).response, 'base64'))).toBe('tryLater');
    gate.resolve();
    const statuses = (await Promise.all(all)).map(({ response }) =>
      statusesOf(Buffer.from(response, 'base64')),
    );
    expect(statuses.filter((status) => status === 'tryLater')).toHaveLength(3);
    expect(statusesOf(Buffer.from((await answer(request)).response, 'base64'))).toEqual(['good']);
  });

  it('that is slow never lets an answer out which a revocation has overtaken', async () => {
    const certificate = await issued();
    const request = await requestFor(certificate);
    const [reached, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const answer = answering({
      async signOne(about) {
        const signed = await signer.signOne(about);
        reached.resolve();
        await gate.promise;
        return signed;
      },
    });
    const slow = answer(request);
    await reached.promise;
    await admin().revoke.mutate({ id: certificate.id });
    gate.resolve();
    const status = [{ reason: 'unspecified' }];
    expect(statusesOf(Buffer.from((await slow).response, 'base64'))).toMatchObject(status);
    expect(statusesOf((await ask(request)).der)).toMatchObject(status);
  });

  it('that fails leaves the old answer in force, and none where there was none', async () => {
    const [kept, never] = [await issued(), await issued()];
    const request = await requestFor(kept);
    const first = await ask(request);
    await ageAnswer(kept, 2);
    const broken = answering({ signOne: () => Promise.reject(new Error('the module is away')) });
    expect((await broken(request)).response).toBe(first.response);
    const unsigned = await broken(await requestFor(never));
    expect(statusesOf(Buffer.from(unsigned.response, 'base64'))).toBe('internalError');
    // Half of its life has passed: a key that works makes a new one.
    await ageAnswer(kept, 20);
    const renewed = await ask(request);
    expect(statusesOf(renewed.der)).toEqual(['good']);
    expect(new Date(renewed.caching?.lastModified ?? 0).getTime()).toBeGreaterThan(Date.now() - HOUR_MS);
  });

  it('signs nothing that outlives its own certificate', async () => {
    const ending = (date: Date) =>
      issuers.all.map((issuer) => {
        const { responder } = issuer;
        const notAfter = { ...responder.certificate.notAfter, date };
        const certificate = { ...responder.certificate, notAfter };
        return { ...issuer, responder: { ...responder, certificate } };
      });
    const end = new Date(Math.floor(Date.now() / 1_000) * 1_000 + 60_000);
    const lifetimes = { lifetimeMs: HOUR_MS, clock: systemClock };
    const answer = answering(createOcspSigner({ all: ending(end) }, lifetimes));
    const certificate = await issued();
    for (const nonce of [undefined, Buffer.from('nonce')]) {
      const { response } = await answer(await requestFor(certificate, nonce));
      const opened = parseOcspResponse(Buffer.from(response, 'base64'));
      expect(opened).toMatchObject({ value: { responses: [{ nextUpdate: end }] } });
    }
  });

  it('that fails does not keep a certificate from being revoked', async () => {
    const certificate = await issued();
    const request = await requestFor(certificate);
    expect(statusesOf((await ask(request)).der)).toEqual(['good']);
    // As another copy would have revoked it whose responder is away: no answer is written with the change.
    const proven = (await proof.prove([certificate.serialNumber])).get(certificate.serialNumber);
    const { crlShard = 0, issuer = '', notAfter = new Date() } = proven ?? {};
    const { id, requestId, serialNumber: serial } = certificate;
    const standing = { notAfter, revokedAt: null, revocationReason: null, heldAt: new Date() };
    const change = {
      record: { id, requestId, partnerId, serial, issuer, crlShard, ...standing, statusVersion: 2 },
      storedVersion: 1,
      storedMac: proven?.row?.mac ?? null,
      isOwnerProven: true,
      audit: { action: 'certificate.held', actor: 'service:generation', attempt: 1, detail: {} },
      answer: undefined,
    };
    expect(await createStatusLedger(database, rows).record(change)).toBe(true);
    expect(statusesOf((await ask(request)).der)).toMatchObject([{ reason: 'certificateHold' }]);
  });
});
