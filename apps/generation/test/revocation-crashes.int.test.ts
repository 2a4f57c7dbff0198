import { parseCrl } from '@rubrica/pki';
import { uuidv7 } from '@rubrica/process/time';
import { disposeAfterAll } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { crlCrashPoints } from '../src/crl/crash-points.ts';
import { revocationCrashPoints } from '../src/revocation/crash-points.ts';
import { listenToEvents } from './support/events.ts';
import { generation } from './support/generation.ts';
import { codeOf, operator, published } from './support/issued-certificates.ts';
import { makeOrder } from './support/orders.ts';
import { connectPeer } from './support/peers.ts';

const points = { ...revocationCrashPoints, ...crlCrashPoints };

const env = await disposeAfterAll(generation());
const log = await disposeAfterAll(listenToEvents(env.intakePeer));
const gateway = await disposeAfterAll(connectPeer('gateway', env.ground));

const admin = () => gateway.operatorClient(operator('admin')).certificates;
const patiently = { interval: 50 };

async function issued() {
  const job = { requestId: uuidv7(), attempt: 1 };
  env.intake.place(makeOrder(job));
  await env.intake.publishJob(job);
  await expect.poll(() => log.of(job.requestId).length, patiently).toBe(1);
  const [event] = log.of(job.requestId);
  if (event?.subject !== 'issued') throw new Error('not issued');
  return { id: event.certificateId, serialNumber: event.serialNumber, requestId: job.requestId };
}

async function crl() {
  const parsed = parseCrl(await published({ gateway }, 'issuing.crl'));
  if (!parsed.ok) throw new Error(parsed.error.reason);
  return parsed.value;
}

const crlRow = async () => {
  const [row] = await env.database.query<{ number: string | null; last: string; unsigned: string }>(
    `select number, last_number as last, changes - signed_changes as unsigned
     from generation.crl where issuer = 'issuing' and shard = 0`,
  );
  return row;
};

const tracesOf = async (id: string) => {
  const [row] = await env.database.query(
    `select revoked_at is not null as revoked, status_version as version,
       (select count(*)::int from generation.audit_entry where serial = c.serial and action = 'certificate.revoked') as audited,
       (select count(*)::int from generation.ocsp_answer a where a.certificate_id = c.id and a.status_version = c.status_version) as answers
     from generation.certificate c where id = $1`,
    [id],
  );
  return row;
};

/** Issues a certificate, then kills the process at the point while it revokes that certificate. */
async function revokeAndDie(point: string) {
  // Gone before the next test also where this one fails.
  await using first = env.spawn();
  const certificate = await issued();
  await expect.poll(crlRow, patiently).toMatchObject({ unsigned: '0', number: expect.any(String) });
  await env.arm(point);
  const call = codeOf(admin().revoke.mutate({ id: certificate.id, revocationReason: 'keyCompromise' }));
  expect(await first.exited).toEqual([null, 'SIGKILL']);
  return { certificate, call, before: await crlRow() };
}

describe('killed while it revokes', () => {
  it(`at ${points.afterAnswer}: nothing has happened, and the repeat revokes`, async () => {
    const { certificate, call } = await revokeAndDie(points.afterAnswer);
    expect(await tracesOf(certificate.id)).toEqual({ revoked: false, version: 1, audited: 0, answers: 0 });
    expect(await call).toBe('SERVICE_UNAVAILABLE');
    await using _ = env.spawn();
    await expect.poll(() => codeOf(admin().revoke.mutate({ id: certificate.id })), patiently).toBe('OK');
    expect(await tracesOf(certificate.id)).toEqual({ revoked: true, version: 2, audited: 1, answers: 1 });
  });

  it(`at ${points.afterCommit}: all of it has, the repeat is told so, and another copy signs the CRL`, async () => {
    const { certificate } = await revokeAndDie(points.afterCommit);
    expect(await tracesOf(certificate.id)).toEqual({ revoked: true, version: 2, audited: 1, answers: 1 });
    expect(await crlRow()).toMatchObject({ unsigned: '1' });
    await using _ = env.spawn();
    await expect
      .poll(() => codeOf(admin().revoke.mutate({ id: certificate.id })), patiently)
      .toBe('CERTIFICATE_ALREADY_REVOKED');
    await expect.poll(async () => (await crl()).find(certificate.serialNumber), patiently).toBeDefined();
    expect(await tracesOf(certificate.id)).toMatchObject({ audited: 1 });
  });
});

describe('killed while it signs a CRL', () => {
  it.each([points.crlAfterLease, points.crlAfterSign])(
    'at %s: the old one is served, and the next has a number of its own',
    async (point) => {
      const { certificate, before } = await revokeAndDie(point);
      expect(before).toMatchObject({ unsigned: '1' });
      expect(Number(before?.last)).toBe(Number(before?.number) + 1);
      await using _ = env.spawn();
      await expect.poll(async () => Number((await crl()).number), patiently).toBeGreaterThan(0);
      await expect.poll(async () => (await crl()).find(certificate.serialNumber), patiently).toBeDefined();
      expect(Number((await crl()).number)).toBe(Number(before?.last) + 1);
      // Of what the dead copy had written of its own list nothing is left.
      expect(
        await env.database.query('select distinct number from generation.crl_piece where issuer = $1', [
          'issuing',
        ]),
      ).toEqual([{ number: String(Number(before?.last) + 1) }]);
      expect(await crlRow()).toMatchObject({ unsigned: '0' });
    },
  );

  it(`at ${points.crlAfterStore}: it is served, and none is signed again`, async () => {
    const { certificate, before } = await revokeAndDie(points.crlAfterStore);
    expect(before).toMatchObject({ unsigned: '0' });
    await using _ = env.spawn();
    await expect.poll(() => codeOf(published({ gateway }, 'issuing.crl')), patiently).toBe('OK');
    expect((await crl()).find(certificate.serialNumber)).toMatchObject({ reason: 'keyCompromise' });
    // The service's first look at the CRLs comes before it answers calls.
    await issued();
    expect(await crlRow()).toEqual(before);
  });

  it('has no crash point without a test', () => {
    const { afterAnswer, afterCommit, crlAfterLease, crlAfterSign, crlAfterStore, ...untested } = points;
    expect(untested).toEqual({});
  });
});

it('tells intake of each change of status once, whoever made it', async () => {
  await using _ = env.spawn();
  const { requestId, serialNumber } = await issued();
  const told = () => log.statuses.filter((one) => one.requestId === requestId);
  await admin().hold.mutate({ serialNumber });
  await admin().revoke.mutate({ serialNumber, revocationReason: 'superseded' });
  await expect.poll(() => told().length, patiently).toBe(2);
  expect(told()).toMatchObject([
    { version: 2, status: 'HELD', reason: 'certificateHold', at: expect.any(String) },
    { version: 3, status: 'REVOKED', reason: 'superseded', at: expect.any(String) },
  ]);
});
