import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { uuidv7 } from '@rubrica/process';
import { makeReference } from '@rubrica/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fault, otherThan } from './support/claims.ts';
import { offerRenewal, type RenewalGround, renewalGround, renewalsOf } from './support/own-renewals.ts';
import { asOperator, makeRegistration, partnerIds } from './support/running-intake.ts';

let ground: RenewalGround;
beforeAll(async () => {
  ground = await renewalGround();
});
afterAll(() => ground?.[Symbol.asyncDispose]());

const viewOf = ({ sealedToken }: { sealedToken: string }) => ground.renewals.view.query({ sealedToken });
const contactOf = ({ sealedToken }: { sealedToken: string }) =>
  ground.renewals.contact.query({ sealedToken });

function byPartner({ referenceTransaction }: { referenceTransaction: string }) {
  return ground.client.certificates.renew.mutate({
    ...{ requestId: uuidv7(), referenceTransaction, newReferenceTransaction: makeReference() },
    ...{ fields: {}, faults: [], files: [], supersede: false, sealedPassword: 'sealed.to.generation' },
  });
}

/** Renewed by the link; @returns the new request's id */
async function renewed(link: Parameters<typeof ground.renew>[0] & { requestId: string }): Promise<string> {
  const { requestId } = await ground.renew(link, await ground.sendRenewalCode(link));
  return requestId;
}

describe('the link of a reminder', () => {
  it('shows whose certificate it is and until when, and changes nothing', async () => {
    const link = await ground.reminded();
    const before = await ground.statusOf(link.requestId);
    expect(await viewOf(link)).toMatchObject({
      state: 'OPEN',
      applicantName: 'María José Ñúñez Pazmiño',
      identificationMasked: expect.stringMatching(/^\*{6}\d{4}$/),
      partnerName: 'Partner sandbox',
      serialNumber: ground.serialOf(link.requestId),
      codeSentTo: '+593*****567',
      code: null,
    });
    expect(await ground.statusOf(link.requestId)).toEqual(before);
    expect(await renewalsOf(ground, link.requestId)).toEqual([]);
  });

  it('makes the request in the name of the partner, which goes on to generation without a claim', async () => {
    const link = await ground.reminded();
    const requestId = await renewed(link);
    expect(await viewOf(link)).toMatchObject({ state: 'IN_PROGRESS', requestId });
    await ground.reaches(requestId, 'GENERATING');
    expect(await ground.statusOf(requestId)).toMatchObject({
      referenceTransaction: `${link.referenceTransaction}-R1`,
      period: 'ONE_YEAR',
      renewalOf: { referenceTransaction: link.referenceTransaction },
    });
    expect(await ground.statusOf(link.requestId)).toMatchObject({
      renewedBy: { referenceTransaction: `${link.referenceTransaction}-R1`, serialNumber: null },
    });
    expect(await ground.timelineOf(requestId)).toEqual(['register', 'startValidation', 'passToGeneration']);
    const generation = await ground.intake.peer('generation');
    expect(await generation.issuance.order.query({ requestId, attempt: 1 })).toMatchObject({
      passwordOrigin: 'HOLDER',
      sealedPassword: 'sealed.to.generation',
    });
    const [accepted] = await ground.intake.query(
      'select terms_version, language, remote_address from intake.terms_acceptance where request_id = $1',
      [requestId],
    );
    expect(accepted).toEqual({ terms_version: '1.0', language: 'en', remote_address: '192.0.2.7' });
    const messages = await ground.intake.query('select template from intake.message where request_id = $1', [
      requestId,
    ]);
    expect(messages).toEqual([]);
  });

  it('serves the download once it is issued, and so does the e-mail that says so', async () => {
    const link = await ground.reminded();
    const { requestId, retrieval } = await ground.renew(link, await ground.sendRenewalCode(link));
    await ground.issue(requestId);
    expect(await viewOf(link)).toMatchObject({ state: 'ISSUED', serialNumber: ground.serialOf(requestId) });
    const { mail, token } = await ground.openMail(requestId);
    expect(token).toBe(link.token);
    expect(mail).toMatchObject({ to: 'jane@mail.com', linkPrefix: expect.stringMatching(/\/renew\/$/) });
    const [kept] = await ground.intake.query(
      'select sealed_token from intake.renewal_link where renewal_id = $1',
      [requestId],
    );
    expect(kept).toEqual({ sealed_token: null });

    const { sealedToken } = link;
    const secret = await ground.openRight(retrieval ?? { sealedRight: '' }, link.token);
    const sealedRight = await ground.sealRight(secret, link.token);
    expect(await ground.renewals.openDownload.mutate({ sealedToken, sealedRight })).toMatchObject({
      requestId,
    });
    await ground.renewals.sendCode.mutate({ sealedToken, language: 'en' });
    const sealedCode = await ground.seal(await ground.secretOf(requestId, 'download-code'), link.token);
    expect(await ground.renewals.openDownload.mutate({ sealedToken, sealedCode })).toMatchObject({
      requestId,
    });
    const [event] = await ground.intake.query<{ id: string }>(
      `select id from intake.webhook_event where request_id = $1 and type = 'certificate.issued'`,
      [requestId],
    );
    const notifier = await ground.intake.peer('notifier');
    expect(await notifier.events.get.query({ eventId: event?.id ?? '' })).toMatchObject({
      omitPassword: true,
    });
  });

  it('takes the first number that is free behind a reference of at most 140 letters', async () => {
    const referenceTransaction = `${makeReference()}${'x'.repeat(150)}`.slice(0, 150);
    const taken = `${referenceTransaction.slice(0, 140)}-R1`;
    await ground.client.requests.register.mutate(makeRegistration({ referenceTransaction: taken }));
    const requestId = await renewed(await ground.reminded({ referenceTransaction }));
    expect((await ground.statusOf(requestId)).referenceTransaction).toBe(`${taken.slice(0, -1)}2`);
  });

  it('is dead once the partner has renewed, once it is revoked, and 60 days after the end', async () => {
    const renewedByPartner = await ground.reminded();
    await byPartner(renewedByPartner);
    await expect(viewOf(renewedByPartner)).rejects.toMatchObject(fault('REQUEST_STATE_NOT_ALLOWED'));
    expect(await contactOf(renewedByPartner)).toEqual({
      reason: 'RENEWED',
      partnerName: 'Partner sandbox',
      partnerEmail: 'sandbox@example.com',
      hasLogo: false,
    });

    const revoked = await ground.reminded();
    ground.revoke(revoked.requestId);
    await expect(viewOf(revoked)).rejects.toMatchObject(fault('REQUEST_STATE_NOT_ALLOWED'));
    expect(await contactOf(revoked)).toMatchObject({ reason: 'REVOKED' });

    const over = await ground.reminded();
    const advance = (days: number) =>
      ground.client.sandbox.advance.mutate({ referenceTransaction: over.referenceTransaction, days });
    await advance(89);
    expect(await viewOf(over)).toMatchObject({ state: 'OPEN' });
    await advance(2);
    await expect(viewOf(over)).rejects.toMatchObject(fault('CLAIM_LINK_EXPIRED'));
    expect(await contactOf(over)).toMatchObject({ reason: 'EXPIRED' });
    await advance(30);
    await expect(contactOf(over)).rejects.toMatchObject(fault('CLAIM_LINK_INVALID'));
  });

  it('is dead in the other e-mails once one of them has renewed', async () => {
    const first = await ground.reminded();
    const second = await ground.link(first.requestId);
    await renewed(second);
    await expect(viewOf(first)).rejects.toMatchObject(fault('REQUEST_STATE_NOT_ALLOWED'));
    expect(await contactOf(first)).toMatchObject({ reason: 'RENEWED' });
    expect(await viewOf(second)).toMatchObject({ state: 'IN_PROGRESS' });
  });
});

describe('a renewal by the subscriber', () => {
  it('happens once, of two at the same moment, and both are told that it is under way', async () => {
    const link = await ground.reminded();
    const code = await ground.sendRenewalCode(link);
    const both = await Promise.all([ground.renew(link, code), ground.renew(link, code)]);
    expect(both.map(({ state }) => state)).toEqual(['IN_PROGRESS', 'IN_PROGRESS']);
    expect(await renewalsOf(ground, link.requestId)).toHaveLength(1);
    expect(both.filter(({ retrieval }) => retrieval !== null)).toHaveLength(1);
  });

  it('happens once beside that of the partner at the same moment', async () => {
    const link = await ground.reminded();
    const code = await ground.sendRenewalCode(link);
    const both = await Promise.allSettled([ground.renew(link, code), byPartner(link)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(both.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))).toMatchObject([
      fault('REQUEST_STATE_NOT_ALLOWED'),
    ]);
    expect(await renewalsOf(ground, link.requestId)).toHaveLength(1);
  });

  it('costs a wrong code one try, and a right one is used up by it alone', async () => {
    const link = await ground.reminded();
    const code = await ground.sendRenewalCode(link);
    await expect(ground.renew(link, otherThan(code))).rejects.toMatchObject(fault('OTP_INVALID'));
    const outdated = ground.renew(link, code, { termsId: uuidv7() });
    await expect(outdated).rejects.toMatchObject(fault('TERMS_OUTDATED'));
    expect(await ground.renew(link, code)).toMatchObject({ state: 'IN_PROGRESS', code: null });
  });

  it('has codes of its own: those of a revocation neither count nor end', async () => {
    const link = await ground.reminded();
    const { revocations } = ground.intake.client({ kind: 'service', name: 'gateway' });
    const { identificationNumber } = await ground.intake
      .query<{ identificationNumber: string }>(
        'select identification_number as "identificationNumber" from intake.request where id = $1',
        [link.requestId],
      )
      .then(([row]) => row ?? { identificationNumber: '' });
    const target = { identificationNumber, serialNumber: ground.serialOf(link.requestId) };
    for (const _ of [1, 2, 3, 4, 5]) await revocations.sendCode.mutate({ target, language: 'en' });
    const revocation = await ground.secretOf(link.requestId, 'revoke-code');
    await renewed(link);
    expect(await ground.findSecret(link.requestId, 'revoke-code')).toBe(revocation);
  });

  it('takes no password of the partner, and a retry needs no claim either', async () => {
    const link = await ground.reminded();
    const requestId = await renewed(link);
    await ground.reaches(requestId, 'GENERATING');
    await ground.intake.tell('events.certificate.failed', {
      ...{ requestId, attempt: 1, code: 'KEY_GENERATION_FAILED' },
    });
    await ground.reaches(requestId, 'ERROR');
    const retry = (corrections: Record<string, string>, sealedPassword?: string) =>
      ground.client.requests.retry.mutate({
        ...{ family: 'TV', requestId, corrections, faults: [] },
        ...(sealedPassword === undefined ? {} : { sealedPassword }),
      });
    await expect(retry({}, 'sealed.by.the.partner')).rejects.toMatchObject(
      fault('REQUEST_STATE_NOT_ALLOWED'),
    );
    expect(await viewOf(link)).toMatchObject({ state: 'IN_PROGRESS' });
    await retry({ applicantLastName: 'Núñez' });
    await ground.issue(requestId, 2);
    expect(await ground.timelineOf(requestId)).not.toContain('approve');
    expect(await viewOf(link)).toMatchObject({ state: 'ISSUED' });
  });

  it('that ends without a certificate has ended its link, and makes room for another', async () => {
    const link = await ground.reminded({ identificationNumber: '2450000704' });
    const requestId = await renewed(link);
    await ground.client.requests.cancel
      .mutate({ family: 'TV', requestId, faults: [] })
      .catch(() => undefined);
    await ground.intake.query(`update intake.request set status = 'CANCELLED' where id = $1`, [requestId]);
    expect(await viewOf(link)).toMatchObject({ state: 'ENDED' });
    const next = await ground.link(link.requestId);
    const { referenceTransaction } = await ground.statusOf(await renewed(next));
    expect(referenceTransaction).toBe(`${link.referenceTransaction}-R2`);
  });
});

describe('a subscriber who cannot renew alone', () => {
  const refused = async (link: Parameters<typeof ground.renew>[0], code: string) => {
    await expect(viewOf(link)).rejects.toMatchObject(fault(code));
    const sending = ground.renewals.sendCode.mutate({ sealedToken: link.sealedToken, language: 'en' });
    await expect(sending).rejects.toMatchObject(fault(code));
    expect(await contactOf(link)).toMatchObject({ reason: 'ASK', partnerEmail: 'sandbox@example.com' });
  };

  it('is told so where the partner does not offer it', async () => {
    const link = await ground.reminded();
    await offerRenewal(ground.intake, false);
    ground.pass(DAY_MS);
    await refused(link, 'REQUEST_STATE_NOT_ALLOWED');
    await offerRenewal(ground.intake, true);
    ground.pass(DAY_MS);
    expect(await viewOf(link)).toMatchObject({ state: 'OPEN' });
  });

  it('is told so where the appointment is over', async () => {
    const link = await ground.reminded();
    await ground.intake.query(
      `update intake.request set application_type = 'LEGAL_REPRESENTATIVE',
       details = details || '{"expirationDateAppointment":"2025-01-01","positionCompany":"Gerente","companyRuc":"1790012345001","companySocialReason":"ACME"}'
       where id = $1`,
      [link.requestId],
    );
    await refused(link, 'APPOINTMENT_EXPIRED');
  });

  it('is told so where the quota of the partner is used up, which nothing is told of', async () => {
    const link = await ground.reminded();
    const code = await ground.sendRenewalCode(link);
    const quota = (setting: string) =>
      ground.intake.query(`update intake.partner set quota = $2 where id = $1`, [
        partnerIds.sandbox,
        setting,
      ]);
    await quota('{"TRADITIONAL_SIGNATURE": 0}');
    await refused(link, 'QUOTA_EXCEEDED');
    const refusal = await ground.renew(link, code).catch((error: Error) => error);
    expect(refusal).toMatchObject(fault('QUOTA_EXCEEDED'));
    expect((refusal as Error).message).not.toMatch(/\d/);
    await quota('{}');
    // Nothing was stored, and the code is as good as it was.
    expect(await renewalsOf(ground, link.requestId)).toEqual([]);
    expect(await ground.renew(link, code)).toMatchObject({ state: 'IN_PROGRESS' });
  });

  it('is told so where another was quicker to take the last place', async () => {
    const links = await Promise.all([ground.reminded(), ground.reminded()]);
    const codes = await Promise.all(links.map((link) => ground.sendRenewalCode(link)));
    const [used] = await ground.intake.query<{ count: number }>(
      `select count(*)::int from intake.request where partner_id = $1 and certificate_type = 'TRADITIONAL_SIGNATURE'
       and status not in ('CANCELLED', 'REFUSED', 'EXPIRED')`,
      [partnerIds.sandbox],
    );
    await ground.intake.operators(asOperator('admin')).partners.update.mutate({
      id: partnerIds.sandbox,
      quota: { TRADITIONAL_SIGNATURE: (used?.count ?? 0) + 1 },
    });
    const both = await Promise.allSettled(links.map((link, index) => ground.renew(link, codes[index] ?? '')));
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(both.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))).toMatchObject([
      fault('QUOTA_EXCEEDED'),
    ]);
    await ground.intake.query(`update intake.partner set quota = '{}' where id = $1`, [partnerIds.sandbox]);
  });

  it('gets no code where there are no terms to accept', async () => {
    const link = await ground.reminded();
    ground.terms.withdraw();
    const sending = ground.renewals.sendCode.mutate({ sealedToken: link.sealedToken, language: 'en' });
    await expect(sending).rejects.toMatchObject(fault('NO_ACTIVE_TERMS'));
    ground.terms.activate('2.0');
    await renewed(link);
  });

  it('is told to come back while nobody knows whether the certificate is revoked', async () => {
    const link = await ground.reminded();
    await ground.generation.away(async () => {
      await expect(viewOf(link)).rejects.toMatchObject(fault('SERVICE_UNAVAILABLE'));
    });
  });
});
