import { spawnSync } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { formatSerial, parseCertificate, readPkcs12 } from '@rubrica/pki';
import { toAppError } from '@rubrica/process/errors';
import { uuidv7 } from '@rubrica/process/time';
import { disposeAfterAll, scratchDirectory } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { grantOf } from './support/grants.ts';
import type { OrderOverrides } from './support/orders.ts';
import type { Peer } from './support/peers.ts';
import { openScene } from './support/scene.ts';

const scene = await disposeAfterAll(openScene());

async function issued(overrides: OrderOverrides = {}, job = { requestId: uuidv7(), attempt: 1 }) {
  const event = await scene.order(overrides, job);
  if (event.subject !== 'issued') throw new Error(event.code);
  return event;
}

/** With a password that the gateway has sealed for that request. */
async function issuedWith(
  password: string,
  passwordOrigin: 'PARTNER' | 'HOLDER',
  overrides: OrderOverrides = {},
) {
  const job = { requestId: uuidv7(), attempt: 1 };
  const binding = { purpose: 'certificate-password', owner: job.requestId } as const;
  const sealedPassword = await scene.gateway.keyring.sealTo('generation', password, binding);
  return issued({ ...overrides, sealedPassword, passwordOrigin }, job);
}

async function releasedTo(azp: 'gateway' | 'notifier', requestId: string) {
  const grant = await grantOf(scene.env, requestId, { azp });
  return scene[azp].serviceClient().bundles.release.query({ grant });
}

async function released(peer: Peer, requestId: string): Promise<{ file: Buffer; password: string }> {
  const { sealed } = await releasedTo(peer === scene.notifier ? 'notifier' : 'gateway', requestId);
  const { file, password } = JSON.parse(
    await peer.keyring.openText(sealed, { purpose: 'bundle', owner: requestId }),
  );
  return { file: Buffer.from(file, 'base64'), password };
}

/** The rounds that OpenSSL reads from a file: of its MAC, and of each encrypted part. */
async function roundsOf(file: Buffer, password: string): Promise<{ mac: number; parts: number[] }> {
  await using scratch = await scratchDirectory('pkcs12-rounds');
  const path = join(scratch.path, 'subscriber.p12');
  await writeFile(path, file);
  const { stderr, status } = spawnSync(
    'openssl',
    ['pkcs12', '-info', '-noout', '-legacy', '-in', path, '-passin', 'env:P12_PASSWORD'],
    { encoding: 'utf8', env: { ...process.env, P12_PASSWORD: password } },
  );
  if (status !== 0) throw new Error(stderr);
  const counts = (lines: RegExp) => [...stderr.matchAll(lines)].map(([, count]) => Number(count));
  const [mac = 0] = counts(/^MAC: .*Iteration (\d+)$/gm);
  return { mac, parts: counts(/^(?!MAC).*Iteration (\d+)/gm) };
}

describe('an ordered certificate', () => {
  it('reaches the notifier as a PKCS#12 that opens with the password the partner gave', async () => {
    const password = 'una clave segura 1';
    const event = await issuedWith(password, 'PARTNER');
    const bundle = await released(scene.notifier, event.requestId);
    expect(bundle.password).toBe(password);
    const opened = await readPkcs12(bundle.file, password);
    if (!opened.ok) throw new Error(opened.error.code);
    const [subscriber, issuing, root] = opened.value.certificates.map(
      (one) => new X509Certificate(one.certificate),
    );
    if (!subscriber || !issuing || !root) throw new Error('the chain is incomplete');
    expect(subscriber.serialNumber).toBe(event.serialNumber);
    expect(subscriber.verify(issuing.publicKey) && issuing.verify(root.publicKey)).toBe(true);
    expect(new Date(subscriber.validTo).toISOString()).toBe(event.notAfter);
    const [key] = opened.value.keys;
    expect(key?.friendlyName).toBe('MARÍA JOSÉ ÑÚÑEZ PAZMIÑO');
  });

  it('says who the subscriber is in fields of its own too, without address and phone', async () => {
    const { requestId } = await issued({ subject: { address: 'Av. Amazonas', phone: '+593991234567' } });
    const { file, password } = await released(scene.notifier, requestId);
    const opened = await readPkcs12(file, password);
    const certificate = opened.ok && opened.value.certificates[0]?.certificate;
    const parsed = parseCertificate(certificate || new Uint8Array());
    if (!parsed.ok) throw new Error(parsed.error.reason);
    const arc = '1.3.6.1.4.1.32473.1.3.';
    const fields = parsed.value.extensions.flatMap(({ oid, critical, value }) =>
      oid.startsWith(arc)
        ? [[oid.slice(arc.length), critical, Buffer.from(value.subarray(2)).toString()]]
        : [],
    );
    expect(fields).toEqual([
      ['1', false, '1710034065'],
      ['2', false, 'MARÍA JOSÉ'],
      ['3', false, 'ÑÚÑEZ'],
      ['4', false, 'PAZMIÑO'],
      ['9', false, 'Quito'],
      ['12', false, 'ECUADOR'],
    ]);
  });

  it('carries a password of twenty characters where the service makes it', async () => {
    const { requestId } = await issued();
    const { file, password } = await released(scene.notifier, requestId);
    expect(password).toMatch(/^[A-Za-z2-9]{20}$/);
    expect(await readPkcs12(file, password)).toMatchObject({ ok: true });
  });

  it('is the same file for the gateway as for the notifier, each sealed to its own key', async () => {
    const { requestId } = await issued();
    const toNotifier = await releasedTo('notifier', requestId);
    await expect(
      scene.gateway.keyring.openText(toNotifier.sealed, { purpose: 'bundle', owner: requestId }),
    ).rejects.toThrow();
    expect(await released(scene.gateway, requestId)).toEqual(await released(scene.notifier, requestId));
  });

  it('of a legal representative carries the company and ends with the appointment, and says so', async () => {
    const appointmentEnd = new Date(Date.now() + 90 * DAY_MS);
    const event = await issued({
      applicationType: 'LEGAL_REPRESENTATIVE',
      period: 'FOUR_YEARS',
      appointmentExpiresAt: appointmentEnd.toISOString(),
      subject: {
        companyRuc: '1790012345001',
        companySocialReason: 'Compañía de Pruebas con un Nombre Tan Largo que No Cabe en el Certificado S.A.',
        positionCompany: 'Gerente General',
      },
    });
    expect(event.cappedBy).toBe('APPOINTMENT');
    expect(event.truncated).toEqual(['organizationName']);
    expect(new Date(event.notAfter).getTime()).toBe(Math.floor(appointmentEnd.getTime() / 1000) * 1000);
    const [row] = await scene.env.database.query<{ subject: string; profile: string }>(
      'select subject, profile from generation.certificate where request_id = $1',
      [event.requestId],
    );
    expect(row?.profile).toBe('LEGAL_REPRESENTATIVE/TRADITIONAL_SIGNATURE');
    expect(row?.subject).toContain('organizationIdentifier=VATEC-1790012345001');
    expect(row?.subject).toContain('O=Compañía de Pruebas con un Nombre Tan Largo que No Cabe en el,');
  });

  it.each([
    ['made here', () => issued(), 2_048],
    ['a partner gave', () => issuedWith('una clave de empresa', 'PARTNER'), 10_000],
    ['the applicant chose', () => issuedWith('una clave de persona', 'HOLDER'), 100_000],
  ] as const)(
    'whose password %s costs each guess its rounds, at the key as at the MAC',
    async (_, issue, rounds) => {
      const { requestId } = await issue();
      const { file, password } = await released(scene.notifier, requestId);
      expect(await roundsOf(file, password)).toEqual({ mac: rounds, parts: [rounds, rounds] });
    },
  );

  it('in the legacy encoding costs a guess at an applicant’s password as many rounds', async () => {
    const { requestId } = await issuedWith('una clave de persona', 'HOLDER', { legacyPkcs12: true });
    const { file, password } = await released(scene.notifier, requestId);
    expect(await roundsOf(file, password)).toEqual({ mac: 100_000, parts: [100_000, 100_000] });
  });

  it('opens in the legacy encoding where the partner needs it', async () => {
    const { requestId } = await issued({ legacyPkcs12: true });
    const { file, password } = await released(scene.notifier, requestId);
    // pbeWithSHAAnd3-KeyTripleDES-CBC, 1.2.840.113549.1.12.1.3.
    expect(file.includes(Buffer.from('060a2a864886f70d010c0103', 'hex'))).toBe(true);
    expect(await readPkcs12(file, password)).toMatchObject({ ok: true });
  });

  it.each([
    ['modern', { legacyPkcs12: false }, 'legacy'],
    ['legacy', { legacyPkcs12: true }, 'modern'],
  ] as const)(
    'that was issued in the %s encoding is written in the other where intake allows it: same key, chain, password and rounds',
    async (_, overrides, encoding) => {
      const { requestId } = await issuedWith('una clave de persona', 'HOLDER', overrides);
      const first = await released(scene.gateway, requestId);
      const grant = await grantOf(scene.env, requestId, { rest: { allowsLegacy: true } });
      const { bundles } = scene.gateway.serviceClient();
      const open = async ({ sealed }: { sealed: string }) => {
        const text = await scene.gateway.keyring.openText(sealed, { purpose: 'bundle', owner: requestId });
        const { file, password } = JSON.parse(text) as { file: string; password: string };
        return { file: Buffer.from(file, 'base64'), password };
      };
      const other = await open(
        await bundles.release.query({ grant, encoding }, { context: { timeoutMs: 90_000 } }),
      );
      expect(other.password).toBe(first.password);
      const isLegacy = (file: Buffer) => file.includes(Buffer.from('060a2a864886f70d010c0103', 'hex'));
      expect([isLegacy(first.file), isLegacy(other.file)]).toEqual([
        encoding === 'modern',
        encoding === 'legacy',
      ]);
      expect(await roundsOf(other.file, other.password)).toEqual({ mac: 100_000, parts: [100_000, 100_000] });
      const [before, after] = [
        await readPkcs12(first.file, first.password),
        await readPkcs12(other.file, first.password),
      ];
      expect(before.ok && after.ok && after.value).toEqual(before.ok && before.value);
    },
  );

  it('is not written for older programs without a grant that allows it', async () => {
    const { requestId } = await issuedWith('una clave de persona', 'HOLDER');
    const grant = await grantOf(scene.env, requestId);
    const asked = scene.gateway.serviceClient().bundles.release.query({ grant, encoding: 'legacy' });
    expect(toAppError(await asked.catch((error: unknown) => error)).code).toBe('FORBIDDEN');
  });

  it('leaves its serial number in the certificate alone, two audit rows with the digest of what was signed, and no secret in clear', async () => {
    const password = `planted-${uuidv7()}`;
    const event = await issuedWith(password, 'HOLDER');
    const serials = await scene.env.database.query<{ serial: string; state: string; tbs: Buffer | null }>(
      'select serial, state, tbs from generation.serial_number where request_id = $1',
      [event.requestId],
    );
    expect(serials).toEqual([]);
    const [certificate] = await scene.env.database.query<{ der: Buffer; serial: string }>(
      'select der, serial from generation.certificate where request_id = $1',
      [event.requestId],
    );
    expect(certificate?.serial).toBe(event.serialNumber);
    const parsed = parseCertificate(certificate?.der ?? Buffer.alloc(0));
    if (!parsed.ok) throw new Error(parsed.error.reason);
    expect(formatSerial(parsed.value.serial)).toBe(event.serialNumber);
    const audit = await scene.env.database.query<{ action: string; detail: object }>(
      'select action, detail from generation.audit_entry where request_id = $1 order by sequence',
      [event.requestId],
    );
    const tbsSha256 = createHash('sha256').update(parsed.value.tbs).digest('hex');
    expect(audit).toMatchObject([
      { action: 'certificate.intended', detail: { tbsSha256 } },
      { action: 'certificate.issued' },
    ]);
    expect(await plaintextIn(password)).toEqual([]);
  });

  it('is made once when the job comes twice, and the outcome is told again', async () => {
    const event = await issued({ subject: { givenName: 'MARÍA '.repeat(16) } });
    expect(event.truncated).toEqual(['commonName']);
    const job = { requestId: event.requestId, attempt: 1 };
    await scene.env.intake.publishJob(job, `again:${event.requestId}`);
    await expect.poll(() => scene.log.of(event.requestId).length).toBe(2);
    const [first, second] = scene.log.of(event.requestId);
    expect(second).toEqual({ ...first, id: `issued:${event.requestId}:1:again-1` });
    expect(await scene.liveCertificates(event.requestId)).toBe(1);
  });

  it('is not made twice for a later attempt: that one gets the live certificate', async () => {
    const first = await issued();
    const second = await scene.order({}, { requestId: first.requestId, attempt: 2 });
    expect(second).toMatchObject({ subject: 'issued', attempt: 2, serialNumber: first.serialNumber });
    expect(await scene.liveCertificates(first.requestId)).toBe(1);
  });

  it('is not begun when intake no longer wants the attempt', async () => {
    const job = { requestId: uuidv7(), attempt: 1 };
    await scene.env.intake.publishJob(job);
    const state = async () =>
      (
        await scene.env.database.query<{ state: string }>(
          'select state from generation.issuance where request_id = $1',
          [job.requestId],
        )
      )[0]?.state;
    await expect.poll(state).toBe('OBSOLETE');
    expect(scene.log.of(job.requestId)).toEqual([]);
  });
});

/** Tables of the schema in which some row holds the text. */
async function plaintextIn(text: string): Promise<string[]> {
  const tables = await scene.env.database.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'generation'`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await scene.env.database.query(
      `select 1 from generation."${name}" as t where t::text like '%' || $1 || '%' limit 1`,
      [text],
    );
    if (rows.length > 0) found.push(name);
  }
  expect(tables.length).toBeGreaterThan(5);
  return found;
}
