import type * as requestsContract from '@rubrica/contracts/services/schemas/requests';
import type { Family } from '@rubrica/contracts/shared/enumerations';
import { disposeAfterAll } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { makeAuthentic } from './support/authentic-row.ts';
import { fault } from './support/claims.ts';
import { freshRequestId } from './support/fresh-evidence.ts';
import { renewalGround, renewalsOf } from './support/own-renewals.ts';
import { makeSimplified } from './support/plain-families.ts';
import { makeCorrection, makeRegular } from './support/regular.ts';

const ground = await disposeAfterAll(renewalGround());

/** Registered, claimed by its applicant and issued; with the link of its reminder. */
async function reminded(family: Family, input: requestsContract.RegisterInput) {
  const { requestId } = await ground.client.requests.register.mutate(input);
  await ground.reaches(requestId, 'APPROVED', family);
  const token = await ground.secretOf(requestId, 'claim');
  const link = { requestId, token, sealedToken: await ground.sealToken(token) };
  await ground.claim(link, await ground.sendCode(link));
  await ground.issue(requestId, 1, family);
  return ground.link(requestId);
}

describe.each([
  ['FR', makeRegular],
  ['FS', makeSimplified],
] as const)('the subscriber of a certificate of %s', (family, makeInput) => {
  it('renews it by the link, under the names and files of before, and claims nothing more', async () => {
    const link = await reminded(family, makeInput());
    const [former] = await ground.intake.query<{ details: object }>(
      'select details from intake.request where id = $1',
      [link.requestId],
    );
    expect(await ground.renewals.view.query({ sealedToken: link.sealedToken })).toMatchObject({
      state: 'OPEN',
      applicantName: 'MARÍA JOSÉ ÑÚÑEZ PAZMIÑO',
    });
    const { requestId } = await ground.renew(link, await ground.sendRenewalCode(link));
    await ground.issue(requestId, 1, family);
    const [renewal] = await ground.intake.query<{ details: object }>(
      `select details, family, renewal_of = $2 as renews,
         (select array_agg(template) from intake.message where request_id = $1) as templates
       from intake.request where id = $1`,
      [requestId, link.requestId],
    );
    expect(renewal).toMatchObject({ family, renews: true, templates: ['certificate-ready'] });
    expect(renewal?.details).toMatchObject(former?.details ?? {});
  });
});

describe('a regular certificate that its subscriber renews', () => {
  it.each([
    ['another selfie', 'SELFIE_MISMATCH', { files: { identificationSelfie: 'image/jpeg' } }],
    [
      'where codes and links go',
      'APPLICANT_DATA_WRONG',
      { corrections: { emailAddress: 'another@correo.example', cellphoneNumber: '+593990000001' } },
    ],
  ])('is claimed after its partner has sent %s', async (_what, error, correction) => {
    const link = await reminded('FR', makeRegular());
    const code = await ground.sendRenewalCode(link);
    const { requestId } = await ground.renew(link, code, { requestId: freshRequestId() });
    await ground.reaches(requestId, 'GENERATING', 'FR');
    await ground.intake.tell('events.certificate.failed', {
      ...{ requestId, attempt: 1, code: 'KEY_GENERATION_FAILED' },
    });
    await ground.reaches(requestId, 'ERROR', 'FR');
    // As intake's database role writes it; a registry or a reviewer may find the first.
    await ground.intake.query('update intake.request set error_code = $2 where id = $1', [requestId, error]);
    await ground.client.requests.correct.mutate(makeCorrection(requestId, correction));
    await ground.reaches(requestId, 'APPROVED', 'FR');
  });
});

describe('the subscriber of a regular certificate who has turned 65 since', () => {
  it('is told whom to ask, for it takes a video, and nothing is stored', async () => {
    const link = await reminded('FR', makeRegular());
    // The sandbox's people do not grow older: one who is younger becomes one who was born in 1950.
    await ground.intake.query(
      `update intake.request set identification_number = '2450000100' where id = $1`,
      [link.requestId],
    );
    await makeAuthentic(ground.intake.ground, link.requestId);
    const { sealedToken } = link;
    await expect(ground.renewals.sendCode.mutate({ sealedToken, language: 'en' })).rejects.toMatchObject(
      fault('AUTHORIZATION_VIDEO_REQUIRED'),
    );
    expect(await ground.renewals.contact.query({ sealedToken })).toMatchObject({
      reason: 'ASK',
      partnerEmail: 'sandbox@example.com',
    });
    expect(await renewalsOf(ground, link.requestId)).toEqual([]);
    const [codes] = await ground.intake.query<{ count: number }>(
      `select count(*)::integer as count from intake.message where request_id = $1 and template = 'renewal-code'`,
      [link.requestId],
    );
    expect(codes?.count).toBe(0);
  });
});
