import { X509Certificate } from 'node:crypto';
import type { Caller } from '@rubrica/contracts/shared/caller';
import { uuidv7 } from '@rubrica/process/time';
import { disposeAfterAll } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import {
  admin as adminOf,
  codeOf,
  issued as issuedIn,
  operator,
  released,
} from './support/issued-certificates.ts';
import { partnerId } from './support/orders.ts';
import { openScene } from './support/scene.ts';

const scene = await disposeAfterAll(openScene());

const admin = () => adminOf(scene);
const issued = () => issuedIn(scene);
const intake = () => scene.env.intakePeer.serviceClient().certificates;

const forPartner = (certificate: { requestId: string; serialNumber: string; partnerId?: string }) => {
  const caller = {
    kind: 'partner',
    partnerId: certificate.partnerId ?? partnerId,
    clientId: 'client-one',
    scopes: ['certificates:revoke'],
  } as const satisfies Caller;
  return scene.env.intakePeer.serviceClient(caller).certificates.revoke.mutate({
    requestId: certificate.requestId,
    serialNumber: certificate.serialNumber,
    reason: 'superseded',
    comment: 'a new one was made',
  });
};

const auditOf = (serial: string) =>
  scene.env.database.query<{ action: string; actor: string; detail: object }>(
    `select action, actor, detail - 'status' - 'change' as detail from generation.audit_entry
     where serial = $1 and action not in ('certificate.intended', 'certificate.issued') order by sequence`,
    [serial],
  );

describe('a partner’s revocation', () => {
  it('is for good, shows at once, and says who and why in the audit', async () => {
    const certificate = await issued();
    const state = await forPartner(certificate);
    expect(state).toMatchObject({
      serialNumber: certificate.serialNumber,
      status: 'REVOKED',
      revocationReason: 'superseded',
      version: 2,
    });
    expect(await intake().byRequest.query({ requestId: certificate.requestId, partnerId })).toEqual(state);
    expect(await auditOf(certificate.serialNumber)).toEqual([
      {
        action: 'certificate.revoked',
        actor: 'partner:client-one',
        detail: { reason: 'superseded', comment: 'a new one was made' },
      },
    ]);
    expect(await codeOf(forPartner(certificate))).toBe('CERTIFICATE_ALREADY_REVOKED');
    expect(await auditOf(certificate.serialNumber)).toHaveLength(1);
  });

  it('many times at once happens once', async () => {
    const certificate = await issued();
    const codes = await Promise.all(Array.from({ length: 8 }, () => codeOf(forPartner(certificate))));
    expect(codes.sort()).toEqual([...Array(7).fill('CERTIFICATE_ALREADY_REVOKED'), 'OK']);
    expect(await auditOf(certificate.serialNumber)).toHaveLength(1);
  });

  it('needs the certificate of the very request, and intake for a caller', async () => {
    const [one, other] = [await issued(), await issued()];
    expect(await codeOf(forPartner({ ...one, serialNumber: other.serialNumber }))).toBe(
      'CERTIFICATE_NOT_FOUND',
    );
    expect(await codeOf(forPartner({ ...one, partnerId: uuidv7() }))).toBe('CERTIFICATE_NOT_FOUND');
    const input = { ...one, partnerId, reason: 'superseded' as const, clientId: 'x' };
    // The gateway's allow-list stops it before any guard would.
    await expect(scene.gateway.serviceClient().certificates.revoke.mutate(input)).rejects.toThrow(
      'The bus does not let',
    );
    const posing = scene.gateway.serviceClient(undefined, 'intake');
    await expect(posing.certificates.revoke.mutate(input)).rejects.toThrow('The bus does not let');
    expect((await intake().byRequest.query({ requestId: one.requestId, partnerId })).status).toBe('VALID');
  });
});

describe('a subscriber’s revocation', () => {
  it('is for good, by whom the audit says, and for intake alone to ask for', async () => {
    const { requestId, serialNumber } = await issued();
    const input = { requestId, serialNumber, partnerId, reason: 'keyCompromise' as const };
    await expect(
      scene.gateway.serviceClient().certificates.revokeForSubscriber.mutate(input),
    ).rejects.toThrow('The bus does not let');
    expect(await intake().revokeForSubscriber.mutate(input)).toMatchObject({
      serialNumber,
      status: 'REVOKED',
      revocationReason: 'keyCompromise',
    });
    expect(await auditOf(serialNumber)).toEqual([
      { action: 'certificate.revoked', actor: 'applicant', detail: { reason: 'keyCompromise' } },
    ]);
    expect(await codeOf(intake().revokeForSubscriber.mutate(input))).toBe('CERTIFICATE_ALREADY_REVOKED');
  });
});

describe('operators', () => {
  it('hold, release, hold again and revoke for good; the revocation counts from the hold', async () => {
    const { id, serialNumber, requestId } = await issued();
    // Told before: a reader that deletes nothing keeps what it once read as revoked.
    expect((await admin().get.query({ id })).holdNotice).toEqual({
      es: expect.stringMatching(/^FirmaEC guarda .* sigue revocado allí/),
      en: expect.stringMatching(/^FirmaEC keeps .* stays revoked there/),
    });
    const held = await admin().hold.mutate({ id, reason: 'reported as lost' });
    expect((await admin().get.query({ id })).holdNotice).toBeNull();
    expect(held).toMatchObject({ status: 'REVOKED', revocationReason: 'certificateHold' });
    expect(await codeOf(admin().hold.mutate({ id }))).toBe('REQUEST_STATE_NOT_ALLOWED');
    expect(await released(scene, { id, reason: 'found' })).toMatchObject({
      status: 'VALID',
      revokedAt: null,
    });
    const again = await admin().hold.mutate({ serialNumber: serialNumber.toLowerCase() });
    const revoked = await admin().revoke.mutate({
      id,
      revocationReason: 'privilegeWithdrawn',
      reason: 'a court decided',
    });
    expect(revoked).toMatchObject({
      status: 'REVOKED',
      revocationReason: 'privilegeWithdrawn',
      revokedAt: again.revokedAt,
    });
    expect(await codeOf(admin().release.mutate({ id }))).toBe('CERTIFICATE_ALREADY_REVOKED');
    const whole = await scene.gateway
      .operatorClient(operator('reviewer'))
      .certificates.get.query({ serialNumber });
    expect(whole).toMatchObject({ id, requestId, status: 'REVOKED', heldAt: again.revokedAt });
    expect(new X509Certificate(whole.pem ?? '').serialNumber).toBe(serialNumber);
    expect(whole.crlUri).toBe('http://127.0.0.1:3000/pki/issuing.crl');
    expect(whole.history.map(({ action, actor, reason }) => [action, actor, reason])).toEqual([
      ['certificate.intended', 'service:generation', null],
      ['certificate.issued', 'service:generation', null],
      ['certificate.held', 'operator:admin@rubrica.test', 'reported as lost'],
      ['certificate.released', 'operator:admin@rubrica.test', 'found'],
      ['certificate.held', 'operator:admin@rubrica.test', null],
      ['certificate.revoked', 'operator:admin@rubrica.test', 'a court decided'],
    ]);
  });

  it('may give the RFC’s word as the reason', async () => {
    const { serialNumber } = await issued();
    expect(await admin().revoke.mutate({ serialNumber, reason: 'keyCompromise' })).toMatchObject({
      revocationReason: 'keyCompromise',
    });
  });

  it.each(['viewer', 'reviewer'] as const)('who are no more than %s change nothing', async (role) => {
    const { id } = await issued();
    const { certificates } = scene.gateway.operatorClient(operator(role));
    expect(await codeOf(certificates.revoke.mutate({ id }))).toBe('FORBIDDEN');
    expect(await codeOf(certificates.hold.mutate({ id }))).toBe('FORBIDDEN');
    expect(await codeOf(certificates.release.mutate({ id }))).toBe('FORBIDDEN');
    expect((await certificates.get.query({ id })).status).toBe('VALID');
  });

  it('who name no certificate, or none that there is, are told so', async () => {
    expect(await codeOf(admin().revoke.mutate({}))).toBe('FIELD_INVALID');
    expect(await codeOf(admin().hold.mutate({ id: uuidv7() }))).toBe('CERTIFICATE_NOT_FOUND');
    const [one, other] = [await issued(), await issued()];
    expect(await codeOf(admin().hold.mutate({ id: one.id, serialNumber: other.serialNumber }))).toBe(
      'CERTIFICATE_NOT_FOUND',
    );
  });
});

describe('a held certificate', () => {
  it('is still the certificate of its request, and so is a revoked one: no attempt makes another', async () => {
    const { id, requestId } = await issued();
    await admin().hold.mutate({ id });
    expect(await scene.order({}, { requestId, attempt: 2 })).toMatchObject({ certificateId: id });
    await admin().revoke.mutate({ id });
    const next = await scene.order({}, { requestId, attempt: 3 });
    expect(next).toMatchObject({ subject: 'issued', certificateId: id });
    expect(await scene.liveCertificates(requestId)).toBe(0);
  });
});
