import { disposeAfterAll, pollFor } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { claimGround, fault } from './support/claims.ts';
import { familyScene } from './support/family-scene.ts';
import { makeSimplified, makeTransactional } from './support/plain-families.ts';
import { asOperator, partnerIds, secondAdministrator } from './support/running-intake.ts';

const ground = await disposeAfterAll(claimGround());

const scene = familyScene(() => ground, 'FS');
const { requests } = scene;
const register = () => requests().register.mutate(makeSimplified());
const admin = () => ground.intake.operators(asOperator('admin'));

type Quota = NonNullable<Parameters<ReturnType<typeof admin>['partners']['update']['mutate']>[0]['quota']>;
/** Whoever lowers it often within an hour needs a second administrator. */
async function setQuota(quota: Quota) {
  const set = await admin().partners.update.mutate({ id: partnerIds.sandbox, quota });
  const { approvalId: id } = set;
  if (id !== undefined) await ground.intake.operators(secondAdministrator).approvals.approve.mutate({ id });
  return set;
}
const monthly = (limit: number) => setQuota({ TRADITIONAL_SIGNATURE: limit });

/** What counts against a quota: the truth that its counts must agree with. */
async function counted(): Promise<number> {
  const [row] = await ground.intake.query<{ count: number }>(
    `select count(*)::int from intake.request where partner_id = $1 and certificate_type = 'TRADITIONAL_SIGNATURE'
     and status not in ('CANCELLED', 'REFUSED', 'EXPIRED')`,
    [partnerIds.sandbox],
  );
  return row?.count ?? 0;
}
async function used(): Promise<number> {
  const [row] = await ground.intake.query<{ sum: number }>(
    `select sum(used)::int from intake.quota_use where partner_id = $1 and certificate_type = 'TRADITIONAL_SIGNATURE'
     group by from_at, until_at order by until_at - from_at, from_at limit 1`,
    [partnerIds.sandbox],
  );
  return row?.sum ?? 0;
}
const outcomes = (results: readonly PromiseSettledResult<unknown>[]) => ({
  taken: results.filter(({ status }) => status === 'fulfilled').length,
  refused: results.filter((one) => one.status === 'rejected' && one.reason.data?.appCode === 'QUOTA_EXCEEDED')
    .length,
});
/** So many calls, forty at a time: each asks the database for its partner's rights on a connection of its own. */
async function allOf<Result>(
  calls: readonly (() => Promise<Result>)[],
): Promise<PromiseSettledResult<Result>[]> {
  const results: PromiseSettledResult<Result>[] = [];
  const waiting = [...calls.entries()];
  const lane = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift())
      [results[next[0]]] = (await Promise.allSettled([next[1]()])) as [PromiseSettledResult<Result>];
  };
  await Promise.all(Array.from({ length: 40 }, lane));
  return results;
}
const times = (count: number) => Array.from({ length: count }, () => register);
const cancel = (requestId: string) => requests().cancel.mutate({ family: 'FS', requestId, faults: [] });

describe('a quota by month', () => {
  it('counts what was registered before it was set, and says what is left', async () => {
    await register();
    const before = await counted();
    const { quota, approvalId } = await monthly(before + 2);
    expect({ quota, approvalId }).toEqual({
      quota: { TRADITIONAL_SIGNATURE: before + 2 },
      approvalId: undefined,
    });
    expect((await register()).quota).toEqual({ limit: before + 2, remaining: 1 });
    expect((await register()).quota).toEqual({ limit: before + 2, remaining: 0 });
    const refused = await register().catch((error: unknown) => error);
    expect(refused).toMatchObject(fault('QUOTA_EXCEEDED'));
    const { retryAfterSeconds, quota: left } = (refused as { data: Record<string, unknown> }).data;
    expect(left).toEqual({ limit: before + 2, remaining: 0 });
    expect(retryAfterSeconds).toBeGreaterThan(0);
    expect(retryAfterSeconds).toBeLessThanOrEqual(31 * 86_400);
  });

  it('says that a reference is in use before it says that nothing is left, and leaves a refused one free', async () => {
    await monthly(1_000);
    const known = makeSimplified();
    await requests().register.mutate(known);
    await monthly(0);
    const repeated = { ...known, requestId: makeSimplified().requestId };
    await expect(requests().register.mutate(repeated)).rejects.toMatchObject(
      fault('DUPLICATED_REFERENCE_TRANSACTION'),
    );
    const refused = makeSimplified();
    await expect(requests().register.mutate(refused)).rejects.toMatchObject(fault('QUOTA_EXCEEDED'));
    await monthly(1_000);
    expect(await requests().register.mutate(refused)).toMatchObject({ status: 'REGISTERED' });
  });

  it('is of one certificate type', async () => {
    await setQuota({ TRADITIONAL_SIGNATURE: 0, TRANSACTIONAL_SIGNATURE: null });
    expect((await requests().register.mutate(makeTransactional())).quota).toBeUndefined();
  });

  it('gives back what ends without a certificate', async () => {
    await monthly((await counted()) + 1);
    const { requestId } = await register();
    await expect(register()).rejects.toMatchObject(fault('QUOTA_EXCEEDED'));
    await cancel(requestId);
    expect((await register()).quota).toMatchObject({ remaining: 0 });
    expect(await used()).toBe(await counted());
  });

  it('gives back what nobody claims in time, many at once', async () => {
    const limit = (await counted()) + 12;
    await monthly(limit);
    for (let index = 0; index < 12; index += 1) await register();
    await expect(register()).rejects.toMatchObject(fault('QUOTA_EXCEEDED'));
    const due = `update intake.request set due_at = now() - interval '1 minute' where status in ('APPROVED', 'ERROR') returning id`;
    const left = () =>
      ground.intake.query(
        `select 1 from intake.request where status = 'REGISTERED' or status = 'VALIDATING'`,
      );
    await pollFor(async () => (await left()).length === 0, { what: 'the end of the checks' });
    expect((await ground.intake.query(due)).length).toBeGreaterThanOrEqual(12);
    await ground.sweep();
    expect(await used()).toBe(await counted());
    expect((await register()).quota).toEqual({ limit, remaining: limit - (await counted()) });
  });

  it('is exact when 200 come at once, and while some of them are cancelled', async () => {
    await monthly((await counted()) + 60);
    const results = await allOf(times(200));
    expect(outcomes(results)).toEqual({ taken: 60, refused: 140 });
    const ids = results.flatMap((one) => (one.status === 'fulfilled' ? [one.value.requestId] : []));
    const mixed = await allOf<unknown>([...ids.slice(0, 30).map((id) => () => cancel(id)), ...times(100)]);
    const again = await allOf(times(40));
    const taken = outcomes(mixed.slice(30)).taken + outcomes(again).taken;
    expect(taken).toBe(outcomes(mixed.slice(0, 30)).taken);
    expect(await used()).toBe(await counted());
  });

  it('takes nothing back when it is lowered, and opens only when less is in use than it allows', async () => {
    const ids: string[] = [];
    await monthly(1_000);
    for (let index = 0; index < 6; index += 1) ids.push((await register()).requestId);
    await monthly((await counted()) - 3);
    for (const requestId of ids.slice(0, 3)) {
      await expect(register()).rejects.toMatchObject(fault('QUOTA_EXCEEDED'));
      await cancel(requestId);
    }
    await expect(register()).rejects.toMatchObject(fault('QUOTA_EXCEEDED'));
    await cancel(ids[3] ?? '');
    expect((await register()).quota).toMatchObject({ remaining: 0 });
  });

  it('is exact when it is set while registrations come', async () => {
    await setQuota({});
    const before = await counted();
    const coming = allOf(times(120));
    await pollFor(async () => (await counted()) > before, { what: 'the first of them' });
    await monthly((await counted()) + 20);
    const results = await coming;
    expect(await used()).toBe(await counted());
    expect(outcomes(results).taken + outcomes(results).refused).toBe(120);
  });

  it('is told by a dry run, which takes nothing', async () => {
    await monthly(await counted());
    const { acceptance: _, evidence: __, ...input } = makeSimplified();
    await expect(requests().dryRun.query(input)).rejects.toMatchObject(fault('QUOTA_EXCEEDED'));
    await monthly((await counted()) + 1);
    await requests().dryRun.query(input);
    expect((await register()).quota).toMatchObject({ remaining: 0 });
  });
});

describe('a package', () => {
  const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);

  it('has one count over its days, which names no time to wait for', async () => {
    const limit = (await counted()) + 1;
    await setQuota({ TRADITIONAL_SIGNATURE: { limit, from: day(-40), until: day(40) } });
    expect((await register()).quota).toEqual({ limit, remaining: 0 });
    const refused = (await register().catch((error: unknown) => error)) as { data: Record<string, unknown> };
    expect(refused).toMatchObject(fault('QUOTA_EXCEEDED'));
    expect(refused.data.retryAfterSeconds).toBeUndefined();
  });

  it('counts nothing outside its days', async () => {
    await setQuota({ TRADITIONAL_SIGNATURE: { limit: 0, from: day(5), until: day(9) } });
    expect((await register()).quota).toBeUndefined();
  });

  it.each([
    ['less than none', { TRADITIONAL_SIGNATURE: -1 }],
    ['an end before its beginning', { TRADITIONAL_SIGNATURE: { limit: 1, from: day(2), until: day(1) } }],
    ['a type that is none', { OTHER: 1 }],
  ])('is refused with %s', async (_what, quota) => {
    await expect(setQuota(quota as Quota)).rejects.toMatchObject(fault('FIELD_INVALID'));
  });
});

describe("a partner's usage", () => {
  const usage = (month?: string) => requests().usage.query(month === undefined ? {} : { month });
  const types = { TRADITIONAL_SIGNATURE: expect.any(Number), TRANSACTIONAL_SIGNATURE: expect.any(Number) };

  it('counts a certificate as revoked whoever revoked it, and not while it is on hold or after an older word', async () => {
    await setQuota({});
    const requestId = await scene.register(makeTransactional());
    const before = (await usage()).revoked.TRANSACTIONAL_SIGNATURE ?? 0;
    await ground.intake.query(`update intake.request set status = 'GENERATED' where id = $1`, [requestId]);
    const tell = (
      version: number,
      status: 'VALID' | 'HELD' | 'REVOKED',
      reason: 'certificateHold' | 'superseded' | null,
    ) =>
      ground.intake.tell('events.certificate.status', {
        ...{ requestId, version, status, reason },
        at: reason === null ? null : new Date().toISOString(),
      });
    const stored = (version: number) =>
      pollFor(
        async () => {
          const [row] = await ground.intake.query<Record<string, unknown>>(
            'select certificate_version as version, certificate_status as status, revocation_reason as reason from intake.request where id = $1',
            [requestId],
          );
          return row?.version === version && row;
        },
        { what: `version ${version}` },
      );
    await tell(2, 'HELD', 'certificateHold');
    expect(await stored(2)).toMatchObject({ status: 'REVOKED', reason: 'certificateHold' });
    expect((await usage()).revoked.TRANSACTIONAL_SIGNATURE).toBe(before);
    await tell(4, 'REVOKED', 'superseded');
    await stored(4);
    await tell(3, 'VALID', null);
    await tell(5, 'REVOKED', 'superseded');
    await stored(5);
    const { revoked, used, reserved, issued, byFamily, quota } = await usage();
    expect(revoked.TRANSACTIONAL_SIGNATURE).toBe(before + 1);
    expect(quota).toEqual({ TRADITIONAL_SIGNATURE: null, TRANSACTIONAL_SIGNATURE: null });
    expect([used, reserved, issued]).toEqual([types, types, types]);
    expect(used.TRADITIONAL_SIGNATURE).toBe(reserved.TRADITIONAL_SIGNATURE + issued.TRADITIONAL_SIGNATURE);
    expect(Object.keys(byFamily)).toEqual(['TV', 'FR', 'FT', 'FS', 'API']);
    expect(byFamily.FS.registered).toBeGreaterThan(byFamily.FS.cancelled);
  });

  it('is the same for the operators, and refuses a month that lies ahead', async () => {
    expect(await admin().partners.usage.query({ id: partnerIds.sandbox })).toEqual(await usage());
    await expect(usage('2999-01')).rejects.toMatchObject(fault('FIELD_INVALID'));
    expect((await usage('2020-02')).byFamily.FS).toMatchObject({ registered: 0 });
  });
});
