import { disposeAfterAll } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { claimGround, fault, sha256 } from './support/claims.ts';
import { asOperator, partnerIds, secondAdministrator } from './support/running-intake.ts';

const ground = await disposeAfterAll(claimGround());

/** One pixel. */
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64');
const id = partnerIds.otp;
const first = () => ground.intake.operators(asOperator('admin'));
const second = () => ground.intake.operators(secondAdministrator);

/** By both administrators. */
async function change(logo: string | null): Promise<void> {
  const { approvalId } = await first().partners.update.mutate({ id, logo });
  expect(approvalId).toMatch(/^intake\./);
  await second().approvals.approve.mutate({ id: approvalId ?? '' });
}

describe("a partner's logo", () => {
  it.each([
    ['an SVG', svg],
    ['what is too large', Buffer.alloc(49_000).toString('base64')],
  ])('is refused before anybody is asked: %s', async (_what, logo) => {
    await expect(first().partners.update.mutate({ id, logo })).rejects.toMatchObject(fault('FIELD_INVALID'));
    const made = { name: 'Banco', email: 'banco@example.com', logo };
    await expect(first().partners.create.mutate(made)).rejects.toMatchObject(fault('FIELD_INVALID'));
    expect((await first().approvals.list.query({})).items).toEqual([]);
  });

  it('is there for applicants once two administrators have agreed, dead links included, until it is taken away', async () => {
    const { requestId, sealedToken } = await ground.approved();
    expect(await ground.claims.view.query({ sealedToken })).toMatchObject({ hasLogo: false });
    expect(await ground.claims.logo.query({ sealedToken })).toBeNull();
    const { approvalId = '' } = await first().partners.update.mutate({ id, logo: png });
    expect(await ground.claims.logo.query({ sealedToken })).toBeNull();
    expect((await second().approvals.get.query({ id: approvalId })).after).toMatchObject({ logo: png });
    await second().approvals.approve.mutate({ id: approvalId });

    expect(await ground.claims.view.query({ sealedToken })).toMatchObject({ hasLogo: true });
    expect(await ground.claims.logo.query({ sealedToken })).toEqual({ type: 'image/png', base64: png });
    await ground.otp.resendLink.mutate({ family: 'TV', requestId, faults: [] });
    expect(await ground.claims.deadLink.query({ sealedToken })).toMatchObject({ hasLogo: true });
    expect(await ground.claims.logo.query({ sealedToken })).toMatchObject({ type: 'image/png' });

    await change(null);
    expect(await ground.claims.deadLink.query({ sealedToken })).toMatchObject({ hasLogo: false });
    expect(await ground.claims.logo.query({ sealedToken })).toBeNull();
  });

  it('belongs to its partner alone, and is nothing to who has no link', async () => {
    await change(png);
    const unknown = await ground.sealToken(sha256('nobody').slice(0, 43));
    expect(await ground.claims.logo.query({ sealedToken: unknown })).toBeNull();
    expect((await first().partners.get.query({ id: partnerIds.other })).logo).toBeNull();
    await change(null);
  });

  it('is told of by its digest in the record and the audit log, and by nothing in lists', async () => {
    await change(png);
    const { logo } = await first().partners.get.query({ id });
    const [audited] = await ground.intake.query<{ details: object }>(
      `select details from intake.audit where action = 'partners.update' order by at desc limit 1`,
    );
    expect(logo).toEqual({ type: 'image/png', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(audited?.details).toEqual({ logoSha256: logo?.sha256 });
    expect(await first().partners.logo.query({ id })).toEqual({ type: 'image/png', base64: png });
    const { items } = await first().partners.list.query({});
    expect(items.filter((item) => 'logo' in item)).toEqual([]);
    const { approvalId } = await first().partners.update.mutate({ id, name: 'Another name' });
    expect(approvalId).toBeUndefined();
    await change(null);
  });

  it('comes with a new partner too', async () => {
    const made = { name: 'Banco', email: 'banco@example.com', logo: png };
    const answer = await first().partners.create.mutate(made);
    const approval = await second().approvals.approve.mutate({
      id: 'approvalId' in answer ? answer.approvalId : '',
    });
    const { id: partnerId } = approval.result as { id: string };
    expect(await first().partners.logo.query({ id: partnerId })).toMatchObject({ base64: png });
  });
});
