import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { disposeAfterAll } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { makeAuthentic } from './support/authentic-row.ts';
import { fault } from './support/claims.ts';
import { offerRenewal, renewalGround, renewalsOf } from './support/own-renewals.ts';
import { asOperator, partnerIds } from './support/running-intake.ts';

const ground = await disposeAfterAll(renewalGround());

const viewOf = ({ sealedToken }: { sealedToken: string }) => ground.renewals.view.query({ sealedToken });
const contactOf = ({ sealedToken }: { sealedToken: string }) =>
  ground.renewals.contact.query({ sealedToken });

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
    await makeAuthentic(ground.intake.ground, link.requestId);
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
       and status not in ('CANCELLED', 'REFUSED', 'EXPIRED')
       and date_trunc('month', created_at at time zone 'America/Guayaquil')
         = date_trunc('month', $2::timestamptz at time zone 'America/Guayaquil')`,
      [partnerIds.sandbox, ground.clock()],
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
    await ground.renew(link, await ground.sendRenewalCode(link));
  });

  it('is told to come back while nobody knows whether the certificate is revoked', async () => {
    const link = await ground.reminded();
    await ground.generation.away(async () => {
      await expect(viewOf(link)).rejects.toMatchObject(fault('SERVICE_UNAVAILABLE'));
    });
  });
});
