import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { disposeAfterAll } from '@rubrica/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { changeOperator, changePartner } from './support/own-database.ts';
import {
  asOperator,
  byTwo,
  partnerIds,
  runningIntake,
  secondAdministrator,
} from './support/running-intake.ts';

let aheadMs = 0;
const intake = await disposeAfterAll(runningIntake({}, { clock: () => new Date(Date.now() + aheadMs) }));

const firstId = '01900000-0000-7000-8000-0000000000a1';
const id = partnerIds.other;
const first = () => intake.operators(asOperator('admin'));
const second = () => intake.operators(secondAdministrator);
const refusal = (appCode: unknown) => ({ data: { appCode } });
const setOperator = (operatorId: string, change: object) => changeOperator(intake.ground, operatorId, change);
const setPartner = (change: object) => changePartner(intake.ground, id, change);
const policy = async () => (await first().partners.get.query({ id })).reviewPolicy;

afterEach(async () => {
  for (const operatorId of [firstId, secondAdministrator.operatorId])
    await setOperator(operatorId, { enabled: true, role: 'admin' });
  await intake.query('delete from intake.approval');
  await setPartner({ reviewPolicy: 'four-eyes', enabled: true, keyType: 'RSA-2048' });
});

/** Four eyes, by the database, and what one administrator proposes instead. */
async function proposed(): Promise<string> {
  await setPartner({ reviewPolicy: 'four-eyes' });
  const answer = await first().partners.update.mutate({
    id,
    reviewPolicy: 'automatic',
    reason: 'they asked',
  });
  expect(answer).toMatchObject({ id, reviewPolicy: 'four-eyes', approvalId: expect.any(String) });
  return answer.approvalId ?? '';
}

describe('one administrator alone', () => {
  it('does not set a review policy from four eyes to automatic, nor by approving it himself', async () => {
    const approval = await proposed();
    await expect(first().approvals.approve.mutate({ id: approval })).rejects.toMatchObject(
      refusal('FORBIDDEN'),
    );
    expect(await policy()).toBe('four-eyes');
    expect(await first().approvals.list.query({})).toMatchObject({
      items: [
        {
          id: approval,
          change: { procedure: 'partners.update', input: { id, reviewPolicy: 'automatic' } },
          before: { reviewPolicy: 'four-eyes' },
          after: { reviewPolicy: 'automatic' },
          proposedBy: 'admin@example.com',
          reason: 'they asked',
        },
      ],
      nextCursor: null,
    });
  });

  it.each([
    { scopes: ['status:read', 'certificates:revoke'] as const, was: { scopes: ['status:read'] } },
    { passwordConfiguration: 'ONE_TIME_PASSWORD' as const },
    { legacyPkcs12: true },
    { keyType: 'RSA-2048' as const, was: { keyType: 'RSA-3072' as const } },
    { email: 'elsewhere@example.com' },
    { enabled: true, was: { enabled: false } },
    { name: 'Another', reviewPolicy: 'manual' as const },
  ])('loosens nothing: %o', async ({ was, ...change }) => {
    const scopes = was && 'scopes' in was ? was.scopes : ['status:read', 'certificates:revoke'];
    const enabled = !(was && 'enabled' in was);
    const keyType = was && 'keyType' in was ? was.keyType : 'RSA-2048';
    await setPartner({ scopes, enabled, keyType });
    const before = await first().partners.get.query({ id });
    const answer = await first().partners.update.mutate({
      id,
      ...change,
    } as never);
    expect(answer).toEqual({ ...before, approvalId: expect.any(String) });
    expect(await first().partners.get.query({ id })).toEqual(before);
  });

  it('makes no partner, no secret and no token', async () => {
    const expiresAt = new Date(Date.now() + DAY_MS).toISOString();
    const secrets = () => intake.query('select client_secret_sha256 from intake.partner order by id');
    const kept = await secrets();
    for (const answer of [
      await first().partners.create.mutate({ name: 'Own', email: 'own@example.com' }),
      await first().partners.rotateSecret.mutate({ id, kind: 'client' }),
      await first().partners.rotateSecret.mutate({ id, kind: 'webhook' }),
      await first().partners.issueToken.mutate({ id, name: 'batch', expiresAt }),
    ]) {
      expect(answer).toHaveProperty('approvalId');
      for (const secret of ['clientSecret', 'webhookSecret', 'secret', 'token'])
        expect(answer).not.toHaveProperty(secret);
    }
    expect(await secrets()).toEqual(kept);
    expect(await intake.query('select from intake.api_token')).toEqual([]);
  });

  it.each([
    { reviewPolicy: 'four-eyes' as const, was: 'manual' },
    { name: 'Cooperativa' },
    { enabled: false },
    { keyType: 'EC-P256' as const },
    { scopes: ['status:read' as const] },
    { events: ['certificate.expiring' as const], holderReminders: [], holderRenewal: true },
    { events: [], holderReminders: ['TRANSACTIONAL_SIGNATURE' as const], holderRenewal: false },
  ])('makes at once what loosens nothing: %o', async ({ was = 'four-eyes', ...change }) => {
    await setPartner({ reviewPolicy: was });
    const answer = await first().partners.update.mutate({ id, ...change });
    expect(answer).toMatchObject(change);
    expect(answer.approvalId).toBeUndefined();
  });
});

describe('a second administrator', () => {
  it('approves it, and both are in the audit log', async () => {
    const approval = await proposed();
    const answer = await second().approvals.approve.mutate({ id: approval, reason: 'seen the contract' });
    expect(answer).toMatchObject({ id: approval, result: { id, reviewPolicy: 'automatic' } });
    expect(await policy()).toBe('automatic');
    const rows = await intake.query(
      `select actor, action, reason from intake.audit where target = $1 or (action = 'partners.update' and target = $2)
       order by id desc limit 3`,
      [`approval:${approval.split('.')[1]}`, `partner:${id}`],
    );
    expect(rows.toReversed()).toEqual([
      { actor: 'operator:admin@example.com', action: 'approvals.propose', reason: 'they asked' },
      { actor: 'operator:operator2@example.com', action: 'approvals.approve', reason: 'seen the contract' },
      { actor: 'operator:operator2@example.com', action: 'partners.update', reason: 'they asked' },
    ]);
    await expect(second().approvals.approve.mutate({ id: approval })).rejects.toMatchObject(
      refusal('REQUEST_NOT_FOUND'),
    );
  });

  it('is shown what the change has made, once; the first is not', async () => {
    const made = await byTwo(intake, ({ partners }) => partners.rotateSecret.mutate({ id, kind: 'client' }));
    const { keyring } = await intake.ground.peer('gateway');
    const secret = 'secret' in made ? made.secret : '';
    const binding = { purpose: 'rotated-secret', owner: secondAdministrator.operatorId } as const;
    expect((await keyring.openText(secret, binding)).length).toBeGreaterThan(40);
  });

  it('rejects it, and so may who proposed it', async () => {
    for (const by of [first, second]) {
      const approval = await proposed();
      await by().approvals.reject.mutate({ id: approval });
      await expect(second().approvals.approve.mutate({ id: approval })).rejects.toMatchObject(
        refusal('REQUEST_NOT_FOUND'),
      );
      expect(await policy()).toBe('four-eyes');
    }
  });

  it('and another click at the same moment make it once', async () => {
    const approval = await proposed();
    const clicks = Array.from({ length: 4 }, () => second().approvals.approve.mutate({ id: approval }));
    const answers = await Promise.allSettled(clicks);
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('has to be an administrator, enabled, at that moment', async () => {
    const approval = await proposed();
    await expect(
      intake.operators(asOperator('reviewer')).approvals.approve.mutate({ id: approval }),
    ).rejects.toMatchObject(refusal('FORBIDDEN'));
    for (const change of [{ enabled: false }, { role: 'reviewer' }]) {
      await setOperator(secondAdministrator.operatorId, change);
      await expect(second().approvals.approve.mutate({ id: approval })).rejects.toMatchObject(
        refusal(expect.stringMatching(/^(FORBIDDEN|UNAUTHENTICATED)$/)),
      );
      await expect(second().partners.update.mutate({ id, name: 'x' })).rejects.toMatchObject(
        refusal(expect.stringMatching(/^(FORBIDDEN|UNAUTHENTICATED)$/)),
      );
    }
    expect(await policy()).toBe('four-eyes');
  });
});

describe('an approval is refused', () => {
  const refused = async (approval: string, code = 'REQUEST_STATE_NOT_ALLOWED') => {
    await expect(second().approvals.approve.mutate({ id: approval })).rejects.toMatchObject(refusal(code));
    expect(await policy()).not.toBe('automatic');
  };

  it('after the record has changed', async () => {
    const approval = await proposed();
    await second().partners.update.mutate({ id, name: `Renamed ${Date.now()}` });
    await refused(approval);
  });

  it.each([{ enabled: false }, { role: 'reviewer' }])(
    'after its proposer is no administrator: %o',
    async (change) => {
      const approval = await proposed();
      await setOperator(firstId, change);
      await expect(second().approvals.approve.mutate({ id: approval })).rejects.toMatchObject(
        refusal('REQUEST_STATE_NOT_ALLOWED'),
      );
      await setOperator(firstId, { enabled: true, role: 'admin' });
      expect(await policy()).toBe('four-eyes');
    },
  );

  it.each([
    `proposed_by = '${secondAdministrator.operatorId}', proposer_email = 'x@example.com'`,
    `expires_at = expires_at + interval '1 second'`,
    `mac = ''`,
    `input = input || '{"scopes": ["certificates:revoke"]}'`,
    `before = before || '{"reviewPolicy": "manual"}'`,
    `procedure = 'partners.rotateSecret'`,
    `digest = repeat('0', 64)`,
  ])('where its row was tampered with: %s', async (set) => {
    const approval = await proposed();
    await intake.query(`update intake.approval set ${set}`);
    await refused(approval, 'REQUEST_NOT_FOUND');
    await expect(first().approvals.approve.mutate({ id: approval })).rejects.toMatchObject(
      refusal('REQUEST_NOT_FOUND'),
    );
    expect((await second().approvals.list.query({})).items).toEqual([]);
  });

  it('after 72 hours, when nothing is left of it', async () => {
    const approval = await proposed();
    aheadMs = 3 * DAY_MS;
    await expect(second().approvals.approve.mutate({ id: approval })).rejects.toMatchObject(
      refusal('REQUEST_NOT_FOUND'),
    );
    expect((await second().approvals.list.query({})).items).toEqual([]);
    aheadMs = 0;
    expect(await policy()).toBe('four-eyes');
  });
});

it('what takes two is refused while there is one, and the overview says why', async () => {
  await setOperator(secondAdministrator.operatorId, { enabled: false });
  await expect(first().partners.update.mutate({ id, reviewPolicy: 'automatic' })).rejects.toMatchObject(
    refusal('SECOND_ADMINISTRATOR_NEEDED'),
  );
  expect(await intake.query('select from intake.approval')).toEqual([]);
  expect((await first().overview.query()).warnings.map(({ code }) => code)).toContain('ONE_ADMINISTRATOR');
});

it('the same change proposed twice waits once', async () => {
  expect(await proposed()).toBe(await proposed());
  expect((await second().approvals.list.query({})).items).toHaveLength(1);
});
