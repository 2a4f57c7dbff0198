import { type ParsedCrl, parseCrl } from '@rubrica/pki';
import { disposeAfterAll } from '@rubrica/testkit';
import { expect, it, vi } from 'vitest';
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
import { revokedCertificates } from './support/revoked-certificates.ts';
import { openScene } from './support/scene.ts';
import { writeMacs } from './support/status-macs.ts';

const deltaUri = 'http://127.0.0.1:3000/pki/issuing-delta.crl';

const scene = await disposeAfterAll(openScene({ CRL_DELTA_FROM_ENTRIES: '10' }));
const openssl = await disposeAfterAll(openSsl());
await openssl.put('root.pem', await publishedPem(scene, 'root.cer'));
await openssl.put('issuing.pem', await publishedPem(scene, 'issuing.cer'));
await vi.waitFor(() => published(scene, 'issuing.crl'), 10_000);

const query = <Row>(sql: string) => scene.env.database.query<Row>(sql);
const issued = () => issuedIn(scene);
const admin = () => adminOf(scene);

async function list(file: 'issuing.crl' | 'issuing-delta.crl'): Promise<ParsedCrl> {
  const parsed = parseCrl(await published(scene, file));
  if (!parsed.ok) throw new Error(parsed.error.reason);
  return parsed.value;
}
const complete = () => list('issuing.crl');
const delta = () => list('issuing-delta.crl');
const reasonIn = async (crl: Promise<ParsedCrl>, { serialNumber }: TestCertificate) =>
  (await crl).find(serialNumber)?.reason;
/** Signs the complete list anew, whatever is still to wait for. */
async function signComplete() {
  const { number: before = 0n } = await complete();
  await query(`update generation.crl set renew_at = now() where issuer = 'issuing'`);
  await expect.poll(async () => ((await complete()).number ?? 0n) > before).toBe(true);
}
/** What OpenSSL says, by the complete list that a program got some time ago and the delta of now. */
async function verified(certificate: TestCertificate, kept: Buffer) {
  for (const [name, der] of [
    ['kept', kept] as const,
    ['delta', await published(scene, 'issuing-delta.crl')] as const,
  ]) {
    const path = await openssl.put(`${name}.crl`, der);
    await openssl.run('crl', '-inform', 'DER', '-in', path, '-out', `${name}.pem`);
  }
  await openssl.put('subscriber.pem', await pemOf(scene, certificate));
  const { text } = await openssl.run(
    ...['verify', '-CAfile', 'root.pem', '-untrusted', 'issuing.pem', '-crl_check', '-use_deltas'],
    ...['-CRLfile', 'kept.pem', '-CRLfile', 'delta.pem', 'subscriber.pem'],
  );
  return /certificate revoked/.test(text) ? 'revoked' : /: OK/.test(text) ? 'good' : text;
}

it('a short complete list has no delta, and is signed at each change', async () => {
  const certificate = await issued();
  await admin().revoke.mutate({ id: certificate.id });
  await expect.poll(() => reasonIn(complete(), certificate)).toBe('unspecified');
  expect((await complete()).freshestUris).toEqual([]);
  expect(await codeOf(published(scene, 'issuing-delta.crl'))).toBe('CERTIFICATE_NOT_FOUND');
  await expect.poll(() => query('select 1 from generation.status_change')).toEqual([]);
});

it('a long one names its delta, which has the changes since then and another number of the same row', async () => {
  for (const statement of revokedCertificates({ issuer: 'issuing', shard: 0, count: 12 }))
    await query(statement);
  await writeMacs(scene.env);
  const certificates = { revoked: await issued(), held: await issued(), good: await issued() };
  await signComplete();
  const base = await published(scene, 'issuing.crl');
  const { number, freshestUris } = await complete();
  expect(freshestUris).toEqual([deltaUri]);
  await expect.poll(() => codeOf(delta())).toBe('OK');
  expect(await delta()).toMatchObject({ baseNumber: number, entryCount: 0, freshestUris: [] });

  await admin().revoke.mutate({ id: certificates.revoked.id, revocationReason: 'keyCompromise' });
  await admin().hold.mutate({ id: certificates.held.id });
  await expect.poll(() => reasonIn(delta(), certificates.revoked)).toBe('keyCompromise');
  await expect.poll(() => reasonIn(delta(), certificates.held)).toBe('certificateHold');
  // The complete one rests meanwhile: it is long.
  expect(await complete()).toMatchObject({ number });
  const { baseNumber, number: deltaNumber = 0n } = await delta();
  expect(baseNumber).toBe(number);
  expect(deltaNumber).toBeGreaterThan(number ?? 0n);

  expect(await verified(certificates.revoked, base)).toBe('revoked');
  expect(await verified(certificates.held, base)).toBe('revoked');
  expect(await verified(certificates.good, base)).toBe('good');
  await released(scene, { id: certificates.held.id });
  await expect.poll(() => reasonIn(delta(), certificates.held)).toBe('removeFromCRL');
  expect(await verified(certificates.held, base)).toBe('good');
});

it('brings each complete list up to date that is in force, and forgets what all of them know', async () => {
  const held = await issued();
  await admin().hold.mutate({ id: held.id });
  await expect.poll(() => reasonIn(delta(), held)).toBe('certificateHold');
  const oldest = await published(scene, 'issuing.crl');
  const { number: oldestNumber } = await complete();
  await signComplete();
  await signComplete();
  const youngest = await published(scene, 'issuing.crl');
  const { number } = await complete();
  expect(await reasonIn(complete(), held)).toBe('certificateHold');
  // One that is younger than the complete list, so that whoever has that one can use it, too.
  await expect.poll(async () => ((await delta()).number ?? 0n) > (number ?? 0n)).toBe(true);
  expect((await delta()).baseNumber).toBe(oldestNumber);
  // The youngest complete list knows of the hold, the oldest does not.
  expect(await reasonIn(delta(), held)).toBe('certificateHold');
  await released(scene, { id: held.id });
  await expect.poll(() => reasonIn(delta(), held)).toBe('removeFromCRL');
  expect([await verified(held, oldest), await verified(held, youngest)]).toEqual(['good', 'good']);

  await query(`update generation.crl_base set next_update = now() where number < ${number}`);
  await query(`update generation.crl set delta_renew_at = now() where issuer = 'issuing'`);
  await expect.poll(async () => (await delta()).baseNumber).toBe(number);
  expect(await reasonIn(delta(), held)).toBe('removeFromCRL');
  await signComplete();
  expect(await query('select certificate_id from generation.status_change')).toEqual([
    { certificate_id: held.id },
  ]);
});

it('ends with the last complete list that names it', async () => {
  await query(`update generation.certificate set not_after = now() - interval '1 year' where subject = 's'`);
  await writeMacs(scene.env, `subject = 's'`);
  const { number: before = 0n } = await complete();
  // Their certificates are made up and prove no end: they would stay while there is a list before with them.
  await query(
    `delete from generation.crl_piece where number = ${before};
     update generation.crl set renew_at = now() where issuer = 'issuing'`,
  );
  await expect
    .poll(() =>
      complete().then(
        ({ number = 0n }) => number > before,
        () => false,
      ),
    )
    .toBe(true);
  expect((await complete()).freshestUris).toEqual([]);
  expect(await codeOf(published(scene, 'issuing-delta.crl'))).toBe('OK');
  await query(
    `update generation.crl set delta_until = now(); update generation.crl_base set next_update = now()`,
  );
  expect(await codeOf(published(scene, 'issuing-delta.crl'))).toBe('CERTIFICATE_NOT_FOUND');
  const certificate = await issued();
  await admin().revoke.mutate({ id: certificate.id });
  await expect.poll(() => reasonIn(complete(), certificate)).toBe('unspecified');
});
