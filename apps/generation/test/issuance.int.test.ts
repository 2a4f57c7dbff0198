import { X509Certificate } from 'node:crypto';
import { formatSerial, lintRules, parseCertificate, readPkcs12 } from '@rubrica/pki';
import { uuidv7 } from '@rubrica/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CertificateEvent, type EventLog, listenToEvents } from './support/events.ts';
import { type Generation, generation } from './support/generation.ts';
import { makeOrder, type OrderOverrides } from './support/orders.ts';
import { connectPeer, type Peer } from './support/peers.ts';

let env: Generation;
let notifier: Peer;
let gateway: Peer;
let log: EventLog;
let service: Awaited<ReturnType<Generation['start']>>;

beforeAll(async () => {
  env = await generation();
  notifier = await connectPeer('notifier', env.nats.url, env.keyFiles);
  gateway = await connectPeer('gateway', env.nats.url, env.keyFiles);
  log = listenToEvents(env.intakePeer);
  service = await env.start();
});

afterAll(async () => {
  await service.stop();
  await log.stop();
  await env.intake.stop();
  await notifier[Symbol.asyncDispose]();
  await gateway[Symbol.asyncDispose]();
  await env[Symbol.asyncDispose]();
});

/** Orders, publishes the job, and waits for the attempt's end. */
async function order(overrides: OrderOverrides = {}, job = { requestId: uuidv7(), attempt: 1 }) {
  env.intake.place(makeOrder(job, overrides));
  await env.intake.publishJob(job);
  const ended = (): CertificateEvent | undefined =>
    log.of(job.requestId).find(({ attempt }) => attempt === job.attempt);
  await expect.poll(ended, { timeout: 20_000, interval: 10 }).toBeDefined();
  return ended() as CertificateEvent;
}

async function issued(overrides: OrderOverrides = {}) {
  const event = await order(overrides);
  if (event.subject !== 'issued') throw new Error(event.code);
  return event;
}

async function released(peer: Peer, requestId: string): Promise<{ file: Buffer; password: string }> {
  const { sealed } = await peer.serviceClient().bundles.release.query({ requestId });
  const { file, password } = JSON.parse(await peer.keyring.openText(sealed));
  return { file: Buffer.from(file, 'base64'), password };
}

describe('an ordered certificate', () => {
  it('reaches the notifier as a PKCS#12 that opens with the password the partner gave', async () => {
    const password = 'contraseña segura 1';
    const event = await issued({
      sealedPassword: await gateway.keyring.sealTo('generation', password),
      passwordOrigin: 'PARTNER',
    });
    const bundle = await released(notifier, event.requestId);
    expect(bundle.password).toBe(password);
    const opened = await readPkcs12(bundle.file, password);
    if (!opened.ok) throw new Error(opened.error.code);
    const [holder, issuing, root] = opened.value.certificates.map(
      (one) => new X509Certificate(one.certificate),
    );
    if (!holder || !issuing || !root) throw new Error('the chain is incomplete');
    expect(holder.serialNumber).toBe(event.serialNumber);
    expect(holder.verify(issuing.publicKey) && issuing.verify(root.publicKey)).toBe(true);
    expect(new Date(holder.validTo).toISOString()).toBe(event.notAfter);
    const [key] = opened.value.keys;
    expect(key?.friendlyName).toBe('MARÍA JOSÉ ÑÚÑEZ PAZMIÑO');
  });

  it('carries a password of twenty characters where the service makes it', async () => {
    const { requestId } = await issued();
    const { file, password } = await released(notifier, requestId);
    expect(password).toMatch(/^[A-Za-z2-9]{20}$/);
    expect(await readPkcs12(file, password)).toMatchObject({ ok: true });
  });

  it('is the same file for the gateway as for the notifier, each sealed to its own key', async () => {
    const { requestId } = await issued();
    const toNotifier = await notifier.serviceClient().bundles.release.query({ requestId });
    await expect(gateway.keyring.openText(toNotifier.sealed)).rejects.toThrow();
    expect(await released(gateway, requestId)).toEqual(await released(notifier, requestId));
  });

  it('of a legal representative carries the company and ends with the appointment, and says so', async () => {
    const appointmentEnd = new Date(Date.now() + 90 * 86_400_000);
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
    expect(new Date(event.notAfter).getTime()).toBe(Math.floor(appointmentEnd.getTime() / 1000) * 1000);
    const [row] = await env.database.query<{ subject: string; profile: string }>(
      'select subject, profile from generation.certificate where request_id = $1',
      [event.requestId],
    );
    expect(row?.profile).toBe('LEGAL_REPRESENTATIVE/TRADITIONAL_SIGNATURE');
    expect(row?.subject).toContain('organizationIdentifier=VATEC-1790012345001');
    expect(row?.subject).toContain('O=Compañía de Pruebas con un Nombre Tan Largo que No Cabe en el,');
  });

  it('opens in the legacy encoding where the partner needs it', async () => {
    const { requestId } = await issued({ legacyPkcs12: true });
    const { file, password } = await released(notifier, requestId);
    // pbeWithSHAAnd3-KeyTripleDES-CBC, 1.2.840.113549.1.12.1.3.
    expect(file.includes(Buffer.from('060a2a864886f70d010c0103', 'hex'))).toBe(true);
    expect(await readPkcs12(file, password)).toMatchObject({ ok: true });
  });

  it('leaves a reserved, intended and used serial number and two audit rows, and no secret in clear', async () => {
    const password = `planted-${uuidv7()}`;
    const event = await issued({
      sealedPassword: await gateway.keyring.sealTo('generation', password),
      passwordOrigin: 'HOLDER',
    });
    const serials = await env.database.query<{ serial: string; state: string; tbs: Buffer }>(
      'select serial, state, tbs from generation.serial_number where request_id = $1',
      [event.requestId],
    );
    expect(serials).toMatchObject([{ serial: event.serialNumber, state: 'ISSUED' }]);
    const [certificate] = await env.database.query<{ der: Buffer }>(
      'select der from generation.certificate where request_id = $1',
      [event.requestId],
    );
    const parsed = parseCertificate(certificate?.der ?? Buffer.alloc(0));
    if (!parsed.ok) throw new Error(parsed.error.reason);
    expect(formatSerial(parsed.value.serial)).toBe(event.serialNumber);
    expect(Buffer.from(parsed.value.tbs).equals(serials[0]?.tbs ?? Buffer.alloc(0))).toBe(true);
    const audit = await env.database.query<{ action: string }>(
      'select action from generation.audit_entry where request_id = $1 order by sequence',
      [event.requestId],
    );
    expect(audit.map(({ action }) => action)).toEqual(['certificate.intended', 'certificate.issued']);
    expect(await plaintextIn(password)).toEqual([]);
  });

  it('is made once when the job comes twice, and the outcome is told again', async () => {
    const event = await issued();
    const job = { requestId: event.requestId, attempt: 1 };
    await env.intake.publishJob(job, `again:${event.requestId}`);
    await expect.poll(() => log.of(event.requestId).length, { timeout: 10_000 }).toBe(2);
    const [first, second] = log.of(event.requestId);
    expect(second).toEqual({ ...first, id: `issued:${event.requestId}:1:again-1` });
    expect(await liveCertificates(event.requestId)).toBe(1);
  });

  it('is not made twice for a later attempt: that one gets the live certificate', async () => {
    const first = await issued();
    const second = await order({}, { requestId: first.requestId, attempt: 2 });
    expect(second).toMatchObject({ subject: 'issued', attempt: 2, serialNumber: first.serialNumber });
    expect(await liveCertificates(first.requestId)).toBe(1);
  });

  it('is not begun when intake no longer wants the attempt', async () => {
    const job = { requestId: uuidv7(), attempt: 1 };
    await env.intake.publishJob(job);
    const state = async () =>
      (
        await env.database.query<{ state: string }>(
          'select state from generation.issuance where request_id = $1',
          [job.requestId],
        )
      )[0]?.state;
    await expect.poll(state, { timeout: 10_000 }).toBe('OBSOLETE');
    expect(log.of(job.requestId)).toEqual([]);
  });
});

describe('an order that cannot become a certificate', () => {
  it('fails with APPOINTMENT_EXPIRED when the appointment has ended', async () => {
    const event = await order({
      applicationType: 'LEGAL_REPRESENTATIVE',
      appointmentExpiresAt: new Date(Date.now() - 60_000).toISOString(),
      subject: { companyRuc: '1790012345001', companySocialReason: 'X', positionCompany: 'Y' },
    });
    expect(event).toMatchObject({ subject: 'failed', code: 'APPOINTMENT_EXPIRED' });
  });

  it('fails with CERTIFICATE_LINT_FAILED when the linter objects, and abandons the serial number', async () => {
    const event = await order({ subject: { countryCode: 'ec' } });
    expect(event).toMatchObject({ subject: 'failed', code: 'CERTIFICATE_LINT_FAILED' });
    const [row] = await env.database.query<{ state: string }>(
      'select state from generation.serial_number where request_id = $1',
      [event.requestId],
    );
    expect(row?.state).toBe('ABANDONED');
    const [audit] = await env.database.query<{ detail: { reason: string } }>(
      `select detail from generation.audit_entry where request_id = $1 and action = 'certificate.refused'`,
      [event.requestId],
    );
    expect(audit?.detail.reason).toContain('subject_country_code');
    expect(lintRules.map(({ id }) => id)).toContain('subject_country_code');
  });

  it('fails with P12_PACKAGING_FAILED when the password is sealed to somebody else', async () => {
    const event = await order({
      sealedPassword: await gateway.keyring.sealTo('notifier', 'not for generation'),
      passwordOrigin: 'PARTNER',
    });
    expect(event).toMatchObject({ subject: 'failed', code: 'P12_PACKAGING_FAILED' });
    expect(await liveCertificates(event.requestId)).toBe(0);
  });
});

describe('the sandbox', () => {
  it.each([
    ['2450001207', 1],
    ['2450001306', 2],
    ['2450001405', 3],
  ])('fails the applicant %s %i times and then issues', async (identificationNumber, times) => {
    const requestId = uuidv7();
    const outcomes: string[] = [];
    for (let attempt = 1; attempt <= times + 1; attempt++) {
      const event = await order({ subject: { identificationNumber } }, { requestId, attempt });
      outcomes.push(event.subject === 'failed' ? event.code : event.subject);
    }
    expect(outcomes).toEqual([...Array(times).fill('KEY_GENERATION_FAILED'), 'issued']);
  });

  it('fails the applicant 2450001108 always', async () => {
    const requestId = uuidv7();
    for (let attempt = 1; attempt <= 4; attempt++) {
      const event = await order({ subject: { identificationNumber: '2450001108' } }, { requestId, attempt });
      expect(event).toMatchObject({ subject: 'failed', code: 'KEY_GENERATION_FAILED' });
    }
  });
});

describe('when something is away', () => {
  it('waits for intake without counting starts, and issues when it is back', async () => {
    const job = { requestId: uuidv7(), attempt: 1 };
    env.intake.place(makeOrder(job));
    await env.intake.stop();
    await env.intake.publishJob(job);
    const starts = async () =>
      (
        await env.database.query<{ fence: number; attempts: number }>(
          'select fence, attempts from generation.issuance where request_id = $1',
          [job.requestId],
        )
      )[0];
    await expect.poll(starts, { timeout: 20_000 }).toMatchObject({ fence: 1, attempts: 0 });
    const back = await (await import('./support/peers.ts')).serveIntake(env.intakePeer);
    back.place(makeOrder(job));
    await expect.poll(() => log.of(job.requestId).length, { timeout: 20_000 }).toBe(1);
    await back.stop();
    env = { ...env, intake: await (await import('./support/peers.ts')).serveIntake(env.intakePeer) };
  });
});

async function liveCertificates(requestId: string): Promise<number> {
  const [row] = await env.database.query<{ count: string }>(
    'select count(*) from generation.certificate where request_id = $1 and revoked_at is null',
    [requestId],
  );
  return Number(row?.count);
}

/** Tables of the schema in which some row holds the text. */
async function plaintextIn(text: string): Promise<string[]> {
  const tables = await env.database.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'generation'`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await env.database.query(
      `select 1 from generation."${name}" as t where t::text like '%' || $1 || '%' limit 1`,
      [text],
    );
    if (rows.length > 0) found.push(name);
  }
  expect(tables.length).toBeGreaterThan(5);
  return found;
}
