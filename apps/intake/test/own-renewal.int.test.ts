import { uuidv7 } from '@rubrica/process/time';
import { disposeAfterAll, makeReference, pollFor } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { fault, otherThan } from './support/claims.ts';
import { renewalGround, renewalsOf } from './support/own-renewals.ts';
import { asOperator, makeRegistration } from './support/running-intake.ts';

const ground = await disposeAfterAll(renewalGround());

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

  it('is answered as the quicker one where that took the link after it was found open', async () => {
    const link = await ground.reminded();
    const code = await ground.sendRenewalCode(link);
    const held = ground.terms.holdNext();
    const slower = ground.renew(link, code);
    await held.reached.promise;
    expect(await ground.renew(link, code)).toMatchObject({ state: 'IN_PROGRESS' });
    held.until.resolve();
    expect(await slower).toMatchObject({ state: 'IN_PROGRESS' });
    expect(await renewalsOf(ground, link.requestId)).toHaveLength(1);
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
    await retry({});
    await ground.issue(requestId, 2);
    expect(await ground.timelineOf(requestId)).not.toContain('approve');
    expect(await viewOf(link)).toMatchObject({ state: 'ISSUED' });
  });

  it.each([
    ['where codes go', { cellphoneNumber: '+593990000001' }],
    ['where links go', { email: 'another@correo.example' }],
    ['the name', { applicantName: 'Ana' }],
  ])('is claimed after its partner has corrected %s', async (_name, corrections) => {
    const requestId = await renewed(await ground.reminded());
    await ground.reaches(requestId, 'GENERATING');
    await ground.intake.tell('events.certificate.failed', {
      ...{ requestId, attempt: 1, code: 'KEY_GENERATION_FAILED' },
    });
    await ground.reaches(requestId, 'ERROR');
    await ground.client.requests.retry.mutate({ family: 'TV', requestId, corrections, faults: [] });
    await ground.reaches(requestId, 'APPROVED');
  });

  it('goes from a review to generation, without a claim', async () => {
    const isWaiting = async (requestId: string) =>
      (await ground.statusOf(requestId)).validationStatus === 'MANUALLY_VALIDATING';
    const approve = async (requestId: string) => {
      await pollFor(() => isWaiting(requestId));
      await ground.intake.operators(asOperator('reviewer')).reviews.approve.mutate({ requestId });
    };
    const input = makeRegistration({ identificationNumber: '2450001504' });
    const { requestId: formerId } = input;
    await ground.client.requests.register.mutate(input);
    await approve(formerId);
    await ground.issue(formerId);
    const requestId = await renewed(await ground.link(formerId));
    await approve(requestId);
    await ground.issue(requestId);
    expect(await ground.timelineOf(requestId)).not.toContain('approve');
  });

  it('that ends without a certificate has ended its link, and makes room for another', async () => {
    const link = await ground.reminded({ identificationNumber: '2450000704' });
    const requestId = await renewed(link);
    await ground.reaches(requestId, 'GENERATING');
    await ground.intake.tell('events.certificate.failed', {
      ...{ requestId, attempt: 1, code: 'KEY_GENERATION_FAILED' },
    });
    await ground.reaches(requestId, 'ERROR');
    await ground.client.requests.cancel.mutate({ family: 'TV', requestId, faults: [] });
    expect(await viewOf(link)).toMatchObject({ state: 'ENDED' });
    const next = await ground.link(link.requestId);
    const { referenceTransaction } = await ground.statusOf(await renewed(next));
    expect(referenceTransaction).toBe(`${link.referenceTransaction}-R2`);
  });
});
