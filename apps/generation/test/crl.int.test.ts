import { X509Certificate } from 'node:crypto';
import { HOUR_MS } from '@rubrica/contracts/shared/durations';
import { parseCrl } from '@rubrica/pki';
import { disposeAfterAll } from '@rubrica/testkit';
import { describe, expect, it, vi } from 'vitest';
import { endCertificate } from './support/certificate-ends.ts';
import {
  admin as adminOf,
  codeOf,
  issued as issuedIn,
  pemOf,
  published,
  publishedPem,
  released,
  type TestCertificate,
} from './support/issued-certificates.ts';
import { openSsl } from './support/openssl.ts';
import { openScene } from './support/scene.ts';

const scene = await disposeAfterAll(openScene());
const openssl = await disposeAfterAll(openSsl());
await openssl.put('root.pem', await publishedPem(scene, 'root.cer'));
await openssl.put('issuing.pem', await publishedPem(scene, 'issuing.cer'));
await vi.waitFor(() => Promise.all(['issuing.crl', 'root.crl'].map((file) => published(scene, file))), {
  timeout: 120_000,
});

const admin = () => adminOf(scene);
const issued = () => issuedIn(scene);
const query = <Row>(sql: string, params: unknown[] = []) => scene.env.database.query<Row>(sql, params);

async function crl(file = 'issuing.crl') {
  const parsed = parseCrl(await published(scene, file));
  if (!parsed.ok) throw new Error(parsed.error.reason);
  return parsed.value;
}
const entryOf = async ({ serialNumber }: TestCertificate, file?: string) =>
  (await crl(file)).find(serialNumber);
/** Looks until the change is seen. */
const seen = (look: () => Promise<unknown>) => expect.poll(look, { interval: 50 });

/** Verifies as a program does that has root, issuing authority and the CRLs, and nothing else. */
async function verify(certificate: TestCertificate, crls: readonly string[]) {
  const files = await Promise.all(
    crls.map(async (file) => {
      const der = await openssl.put(file, await published(scene, file));
      await openssl.run('crl', '-inform', 'DER', '-in', der, '-out', `${file}.pem`);
      return ['-CRLfile', `${file}.pem`];
    }),
  );
  await openssl.put('subscriber.pem', await pemOf(scene, certificate));
  const chain = ['-CAfile', 'root.pem', '-untrusted', 'issuing.pem'];
  const check = crls.includes('root.crl') ? '-crl_check_all' : '-crl_check';
  return openssl.run('verify', ...chain, check, ...files.flat(), 'subscriber.pem');
}

describe('a CRL', () => {
  it('is signed by the issuing authority, as OpenSSL finds, and named in the certificates', async () => {
    const certificate = await issued();
    await openssl.put('issuing.crl', await published(scene, 'issuing.crl'));
    const checked = await openssl.run(
      ...['crl', '-inform', 'DER', '-in', 'issuing.crl', '-CAfile', 'issuing.pem', '-noout', '-text'],
    );
    expect(checked.text).toContain('verify OK');
    expect(checked.text).toContain('X509v3 CRL Number');
    await openssl.put('subscriber.pem', await pemOf(scene, certificate));
    const { text } = await openssl.run(
      'x509',
      '-in',
      'subscriber.pem',
      '-noout',
      '-ext',
      'crlDistributionPoints',
    );
    expect(text).toContain('URI:http://127.0.0.1:3000/pki/issuing.crl');
  });

  it('is complete: no extension limits it, so that programs take it for every certificate', async () => {
    expect(await crl()).toMatchObject({
      distributionPoint: undefined,
      freshestUris: [],
      baseNumber: undefined,
    });
  });

  it('shows a revocation soon, with its reason, and OpenSSL refuses the certificate then', async () => {
    const [certificate, other] = [await issued(), await issued()];
    expect((await verify(certificate, ['issuing.crl', 'root.crl'])).text).toContain('subscriber.pem: OK');
    const { revokedAt } = await admin().revoke.mutate({
      id: certificate.id,
      revocationReason: 'keyCompromise',
    });
    await seen(() => entryOf(certificate)).toEqual({
      serial: certificate.serialNumber,
      revokedAt: new Date(revokedAt ?? 0),
      reason: 'keyCompromise',
    });
    const refused = await verify(certificate, ['issuing.crl', 'root.crl']);
    expect(refused.code).not.toBe(0);
    expect(refused.text).toContain('certificate revoked');
    expect((await verify(other, ['issuing.crl', 'root.crl'])).text).toContain('subscriber.pem: OK');
  });

  it('names a hold until it is released', async () => {
    const certificate = await issued();
    await admin().hold.mutate({ id: certificate.id });
    await seen(() => entryOf(certificate)).toMatchObject({ reason: 'certificateHold' });
    await released(scene, { id: certificate.id });
    await seen(() => entryOf(certificate)).toBeUndefined();
    expect((await verify(certificate, ['issuing.crl'])).text).toContain('subscriber.pem: OK');
  });

  it('has a higher number each time, and is signed anew on schedule though nothing has changed', async () => {
    const { number: before = 0n } = await crl();
    await query(`update generation.crl set renew_at = now() where issuer = 'issuing'`);
    await seen(async () => ((await crl()).number ?? 0n) > before).toBe(true);
    const { number } = await crl();
    // Nothing is due any more: a look later it is still the same.
    const { id } = await issued();
    expect((await crl()).number).toBe(number);
    await admin().revoke.mutate({ id });
    await seen(async () => (await crl()).number).toBe((number ?? 0n) + 1n);
  });

  it('keeps what has expired until a scheduled one has named it after the expiry', async () => {
    const certificate = await issued();
    await admin().revoke.mutate({ id: certificate.id });
    await seen(() => entryOf(certificate)).toBeDefined();
    const expireAgo = (hours: number) =>
      endCertificate(scene.env, certificate.id, new Date(Date.now() - hours * HOUR_MS));
    const signAnew = async () => {
      const { number: before = 0n } = await crl();
      await query(`update generation.crl set renew_at = now() where issuer = 'issuing'`);
      await seen(async () => ((await crl()).number ?? 0n) > before).toBe(true);
    };
    await expireAgo(23);
    await signAnew();
    expect(await entryOf(certificate)).toBeDefined();
    await expireAgo(25);
    // As after a standstill of two days: no CRL since the expiry has named it yet.
    await query(`update generation.crl set this_update = now() - interval '2 days' where issuer = 'issuing'`);
    await signAnew();
    expect(await entryOf(certificate)).toBeDefined();
    await signAnew();
    expect(await entryOf(certificate)).toBeUndefined();
  });

  it('is cached for no longer than the promise, and never beyond its own time', async () => {
    const file = () =>
      scene.gateway.serviceClient({ kind: 'public' }).pki.file.query({ file: 'issuing.crl' });
    const { maxAgeSeconds, mediaType, lastModified } = await file();
    expect({ maxAgeSeconds, mediaType }).toEqual({ maxAgeSeconds: 2, mediaType: 'application/pkix-crl' });
    expect(new Date(lastModified ?? 0)).toEqual((await crl()).thisUpdate);
    await query(`update generation.crl set next_update = now() where issuer = 'issuing'`);
    expect((await file()).maxAgeSeconds).toBe(0);
  });

  it.each(['other.crl', 'issuing-s1.crl', 'root-s1.crl', 'issuing-delta.crl', 'root-delta.crl'])(
    '%s there is none',
    async (file) => {
      expect(await codeOf(published(scene, file))).toBe('CERTIFICATE_NOT_FOUND');
    },
  );
});

describe('two copies', () => {
  it('sign one CRL with all that either has revoked, and never two under one number', async () => {
    {
      await using _second = await scene.env.start();
      const certificates = await Promise.all(Array.from({ length: 12 }, issued));
      await Promise.all(certificates.map(({ id }) => admin().revoke.mutate({ id })));
      const missing = async () => {
        const list = await crl();
        return certificates.filter(({ serialNumber }) => !list.find(serialNumber)).length;
      };
      await seen(missing).toBe(0);
    }
    // What changed while the last one was signed is signed once more; then nothing is left.
    await seen(() =>
      query(`select number = last_number as last, signed_changes = changes as whole from generation.crl
        where issuer = 'issuing'`),
    ).toEqual([{ last: true, whole: true }]);
  });
});

describe('shards', () => {
  it('each speak of their own certificates, which name them, and the complete list of all', async () => {
    const sharded = await openScene({ CRL_SHARDS: '2' });
    try {
      const found = new Map<string, TestCertificate>();
      for (let tries = 0; found.size < 2 && tries < 40; tries++) {
        const certificate = await issuedIn(sharded);
        const { crlUri, pem } = await adminOf(sharded).get.query({ id: certificate.id });
        expect(new X509Certificate(pem ?? '').toString()).toBe(pem);
        found.set(crlUri.split('/').at(-1) ?? '', certificate);
      }
      expect([...found.keys()].sort()).toEqual(['issuing-s1.crl', 'issuing-s2.crl']);
      for (const { id } of found.values()) await adminOf(sharded).revoke.mutate({ id });
      for (const [file, { serialNumber }] of found) {
        const list = async () => {
          const parsed = parseCrl(await published(sharded, file));
          if (!parsed.ok) throw new Error(parsed.error.reason);
          const { distributionPoint } = parsed.value;
          return { distributionPoint, serials: [...parsed.value.entries()].map(({ serial }) => serial) };
        };
        await seen(list).toEqual({
          distributionPoint: `http://127.0.0.1:3000/pki/${file}`,
          serials: [serialNumber],
        });
      }
      const all = [...found.values()].map(({ serialNumber }) => serialNumber).sort();
      const complete = async () => {
        const parsed = parseCrl(await published(sharded, 'issuing.crl'));
        if (!parsed.ok) throw new Error(parsed.error.reason);
        const { distributionPoint } = parsed.value;
        return { distributionPoint, serials: [...parsed.value.entries()].map(({ serial }) => serial).sort() };
      };
      await seen(complete).toEqual({ distributionPoint: undefined, serials: all });
      await openssl.put('sharded-root.pem', await publishedPem(sharded, 'root.cer'));
      await openssl.put('sharded.pem', await publishedPem(sharded, 'issuing.cer'));
      await openssl.put('complete.crl', await published(sharded, 'issuing.crl'));
      await openssl.run('crl', '-inform', 'DER', '-in', 'complete.crl', '-out', 'complete.pem');
      for (const certificate of [...found.values(), await issuedIn(sharded)]) {
        await openssl.put('one.pem', await pemOf(sharded, certificate));
        const chain = ['-CAfile', 'sharded-root.pem', '-untrusted', 'sharded.pem'];
        const { text } = await openssl.run(
          ...['verify', ...chain, '-crl_check', '-CRLfile', 'complete.pem', 'one.pem'],
        );
        const isRevoked = all.includes(certificate.serialNumber);
        expect(text).toContain(isRevoked ? 'certificate revoked' : 'one.pem: OK');
      }
    } finally {
      await sharded[Symbol.asyncDispose]();
    }
  });
});
