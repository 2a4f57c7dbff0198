import { readFile } from 'node:fs/promises';
import { parseCertificate, parseCrl } from '@rubrica/pki';
import { uuidv7 } from '@rubrica/process/time';
import { disposeAfterAll } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { ca } from './support/ca.ts';
import {
  admin,
  pemOf,
  published,
  publishedPem,
  type TestCertificate,
} from './support/issued-certificates.ts';
import { openSsl } from './support/openssl.ts';
import { openScene } from './support/scene.ts';

const scene = await disposeAfterAll(openScene({ CA_REFRESH_SECONDS: '1' }));
const openssl = await disposeAfterAll(openSsl());

type Issued = TestCertificate & { readonly issuer: string };

/** Issues one after the other in three rows until told to stop; a failure ends it. */
function traffic() {
  const issued: Issued[] = [];
  let running = true;
  const row = async () => {
    while (running) {
      const event = await scene.order({}, { requestId: uuidv7(), attempt: 1 });
      if (event.subject !== 'issued') throw new Error(event.code);
      const { requestId, serialNumber, certificateId: id } = event;
      issued.push({ id, requestId, serialNumber, issuer: await issuerOf(id) });
    }
  };
  const rows = Promise.all([row(), row(), row()]);
  // Its failure is for whoever stops it.
  rows.catch(() => undefined);
  return {
    issued,
    async stop() {
      running = false;
      await rows;
    },
  };
}

async function issuerOf(id: string): Promise<string> {
  const [row] = await scene.env.database.query<{ issuer: string }>(
    'select issuer from generation.certificate where id = $1',
    [id],
  );
  return row?.issuer ?? '';
}

/** With what anybody can fetch: the two authorities, the CRLs, an OCSP answer. */
async function check(certificate: Issued): Promise<string> {
  const { issuer } = certificate;
  await openssl.put('subscriber.pem', await pemOf(scene, certificate));
  await openssl.put('issuer.pem', await publishedPem(scene, `${issuer}.cer`));
  await openssl.put('root.pem', await publishedPem(scene, 'root.cer'));
  const crls = await Promise.all(
    [issuer, 'root'].map(async (name) => {
      const der = await openssl.put(`${name}.crl`, await published(scene, `${name}.crl`));
      await openssl.run('crl', '-inform', 'DER', '-in', der, '-out', `${name}.crl.pem`);
      return ['-CRLfile', `${name}.crl.pem`];
    }),
  );
  const verified = await openssl.run(
    ...[
      'verify',
      '-CAfile',
      'root.pem',
      '-untrusted',
      'issuer.pem',
      '-crl_check_all',
      ...crls.flat(),
      'subscriber.pem',
    ],
  );
  const about = ['-issuer', 'issuer.pem', '-cert', 'subscriber.pem'];
  await openssl.run('ocsp', '-no_nonce', ...about, '-reqout', 'request.der');
  const request = (await readFile(openssl.path('request.der'))).toString('base64');
  const { response } = await scene.gateway.serviceClient({ kind: 'public' }).pki.ocsp.query({ request });
  await openssl.put('response.der', Buffer.from(response, 'base64'));
  const answered = await openssl.run(
    ...['ocsp', '-respin', 'response.der', '-CAfile', 'root.pem', '-verify_other', 'issuer.pem', ...about],
  );
  return verified.text + answered.text;
}

describe('a rotation of the issuing authority', () => {
  it('is loaded under traffic: no certificate fails, and each is checked against its own issuer', async () => {
    const orders = traffic();
    const of = (issuer: string) => orders.issued.filter((one) => one.issuer === issuer);
    const reached = (issuer: string, count: number) =>
      expect.poll(() => of(issuer).length, { interval: 20 }).toBeGreaterThanOrEqual(count);
    await reached('issuing', 5);
    const { code, said } = await ca(
      { ...scene.env.env, CA_REFRESH_SECONDS: '1', CA_KEY_ALGORITHM: 'RSA_2048' },
      'rotate',
    );
    expect(code, said).toBe(0);
    await reached('issuing-2', 5);
    await orders.stop();

    const [old, young] = [of('issuing'), of('issuing-2')];
    expect(old.length + young.length).toBe(orders.issued.length);
    const [before, lastBefore] = [old[0], old.at(-1)];
    const [first, last] = [young[0], young.at(-1)];
    for (const one of [before, lastBefore, first, last]) {
      if (one === undefined) throw new Error('nothing was issued');
      const text = await check(one);
      expect(text).toContain('subscriber.pem: OK');
      expect(text).toContain('Response verify OK');
      expect(text).toContain('subscriber.pem: good');
    }
    const { issuing } = await scene.env.intakePeer.serviceClient().pki.index.query({});
    expect(issuing).toBe('issuing-2');
  });

  it('leaves the old authority to its CRL and its OCSP answers', async () => {
    const [row] = await scene.env.database.query<{ id: string; serial: string; request_id: string }>(
      `select id, serial, request_id from generation.certificate where issuer = 'issuing' limit 1`,
    );
    if (row === undefined) throw new Error('the first authority has issued nothing');
    const certificate = {
      id: row.id,
      serialNumber: row.serial,
      requestId: row.request_id,
      issuer: 'issuing',
    };
    await admin(scene).revoke.mutate({ id: row.id, revocationReason: 'keyCompromise' });
    const entry = async () => {
      const parsed = parseCrl(await published(scene, 'issuing.crl'));
      return parsed.ok ? parsed.value.find(row.serial)?.reason : parsed.error.reason;
    };
    await expect.poll(entry).toBe('keyCompromise');
    const text = await check(certificate);
    expect(text).toContain('certificate revoked');
    expect(text).toContain('Response verify OK');
    expect(text).toContain('subscriber.pem: revoked');
  });

  it('gives the new authority a name of its own under the same root', async () => {
    const [root, old, young] = await Promise.all(
      ['root', 'issuing', 'issuing-2'].map(async (name) => {
        const parsed = parseCertificate(await published(scene, `${name}.cer`));
        if (!parsed.ok) throw new Error(parsed.error.reason);
        return parsed.value;
      }),
    );
    expect(young?.issuer.raw).toEqual(root?.subject.raw);
    expect(young?.subject.raw).not.toEqual(old?.subject.raw);
    expect(young?.publicKey.raw).not.toEqual(old?.publicKey.raw);
  });
});
