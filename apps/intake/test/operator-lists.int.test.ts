import { disposeAfterAll, pollFor } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { freshRequestId } from './support/fresh-evidence.ts';
import {
  asOperator,
  asPartner,
  makeRegistration,
  partnerIds,
  runningIntake,
} from './support/running-intake.ts';

const requestIds: string[] = [];

const viewer = () => intake.operators(asOperator('viewer'));

const intake = await disposeAfterAll(runningIntake());
for (const key of ['sandbox', 'other', 'sandbox'] as const) {
  const requestId = freshRequestId();
  await intake.client(asPartner(key)).requests.register.mutate(makeRegistration({}, { requestId }));
  requestIds.unshift(requestId);
}
// Validated, so that no status changes between two searches.
const isValidated = async () => {
  const { items } = await viewer().requests.search.query({ status: 'GENERATING' });
  return items.length === requestIds.length;
};
await pollFor(isValidated, { deadlineMs: 60_000, what: 'the end of all validations' });

describe('what operators list', () => {
  it('comes page by page, newest first: requests', async () => {
    const first = await viewer().requests.search.query({ limit: 2 });
    expect(first.items.map(({ requestId }) => requestId)).toEqual(requestIds.slice(0, 2));
    const cursor = first.nextCursor ?? '';
    const last = await viewer().requests.search.query({ limit: 2, cursor });
    expect(last.items.map(({ requestId }) => requestId)).toEqual(requestIds.slice(2));
    expect(last.nextCursor).toBeNull();
  });

  it('is of the partner that was asked for', async () => {
    const { items } = await viewer().requests.search.query({ partnerId: partnerIds.other });
    expect(items.map(({ requestId }) => requestId)).toEqual([requestIds[1]]);
  });

  it.each<[string, object, number[]]>([
    ['a family that has them', { family: 'TV' }, [0, 1, 2]],
    ['a family that nobody used', { family: 'API' }, []],
    ['a partner and a family', { partnerId: partnerIds.sandbox, family: 'TV' }, [0, 2]],
    ['a partner and a status that it has none of', { partnerId: partnerIds.sandbox, status: 'EXPIRED' }, []],
  ])('is what was asked for: %s', async (_what, filters, expected) => {
    const { items } = await viewer().requests.search.query(filters);
    expect(items.map(({ requestId }) => requestId)).toEqual(expected.map((index) => requestIds[index]));
  });

  it('is found by its reference, its applicant and its present statuses, each with what else is asked', async () => {
    const { items } = await viewer().requests.search.query({});
    const [one] = items;
    if (one === undefined) throw new Error('there is no request');
    const { referenceTransaction, status, validationStatus, partnerId } = one;
    const reviewer = intake.operators(asOperator('reviewer'));
    const { items: known } = await reviewer.requests.search.query({ referenceTransaction });
    const { identificationNumber } = known[0] ?? {};
    const ids = async (filters: object) =>
      (await reviewer.requests.search.query(filters)).items.map(({ requestId }) => requestId);
    expect(known.map(({ requestId }) => requestId)).toEqual([one.requestId]);
    expect(await ids({ referenceTransaction, partnerId: partnerIds.other })).toEqual([]);
    expect(await ids({ referenceTransaction, identificationNumber, status })).toEqual([one.requestId]);
    expect(await ids({ identificationNumber, partnerId, validationStatus })).toContain(one.requestId);
    expect(await ids({ identificationNumber, family: 'API' })).toEqual([]);
    expect(await ids({ status, validationStatus, family: 'TV', partnerId })).toContain(one.requestId);
    expect(await ids({ status, validationStatus })).toContain(one.requestId);
  });

  it('comes page by page where a filter leaves states open, and misses none and shows none twice', async () => {
    for (const filters of [{ family: 'TV' }, { partnerId: partnerIds.sandbox }] as const) {
      const all = (await viewer().requests.search.query(filters)).items.map(({ requestId }) => requestId);
      const found: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await viewer().requests.search.query({
          ...filters,
          limit: 1,
          ...(cursor === undefined ? {} : { cursor }),
        });
        found.push(...page.items.map(({ requestId }) => requestId));
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
      expect(found).toEqual(all);
    }
  });

  it('is counted in the overview, the unfinished and the young', async () => {
    const { requests, registeredLastDay, isComplete, oldestUnfinishedAt } = await viewer().overview.query();
    expect(Object.values(requests).reduce((sum, count) => sum + count, 0)).toBe(requestIds.length);
    expect([registeredLastDay, isComplete]).toEqual([requestIds.length, true]);
    expect(oldestUnfinishedAt).not.toBeNull();
  });

  it('is counted in the trends of a day and a month, the empty hours and days too', async () => {
    const { trend } = await viewer().overview.query();
    const sum = (slots: typeof trend.days) => slots.reduce((all, { registered }) => all + registered, 0);
    expect([trend.hours.length, sum(trend.hours)]).toEqual([24, requestIds.length]);
    expect([trend.days.length, sum(trend.days)]).toEqual([30, requestIds.length]);
    // Days begin where the deployment is: Ecuador is five hours behind.
    expect(trend.days[0]?.from).toMatch(/T05:00:00\.000Z$/);
    expect(trend.days.map(({ from }) => from)).toEqual(trend.days.map(({ from }) => from).toSorted());
  });

  it('is counted from the reports where a day is over, and else as it stands', async () => {
    const old = { GENERATED: freshRequestId(), REFUSED: freshRequestId() };
    for (const [status, id] of Object.entries(old))
      await intake.query(
        `insert into intake.request select (jsonb_populate_record(request, jsonb_build_object('id', $1::uuid, 'status', $2::text,
          'reference_transaction', $1, 'created_at', now() - interval '9 days', 'due_at', null))).* from intake.request where id = $3`,
        [id, status, requestIds[0]],
      );
    const seen = async () => {
      const { trend, requests } = await viewer().overview.query();
      return [trend.days.at(-10)?.registered, requests.GENERATED, requests.REFUSED];
    };
    expect(await seen()).toEqual([2, 1, 1]);
    const ofReport = (registered: number, computedAt: string) =>
      intake.query(
        `with day as (select ((now() - interval '9 days') at time zone 'America/Guayaquil')::date as day),
        noted as (
          insert into intake.request_day_computed select day, ${computedAt} from day
          on conflict (day) do update set computed_at = excluded.computed_at
        )
        insert into intake.request_day select day, $1, 'TV', $2, 0, 0, 0, 0, '{}' from day
        on conflict (day, partner_id, family) do update set registered = excluded.registered`,
        [partnerIds.sandbox, registered],
      );
    // More than there are, to tell where the figure is from.
    await ofReport(7, 'now()');
    expect(await seen()).toEqual([7, 6, 1]);
    await ofReport(7, "now() - interval '9 days'");
    expect(await seen()).toEqual([2, 1, 1]);
    await intake.query('delete from intake.request where id = any($1::uuid[])', [Object.values(old)]);
  });

  it('comes page by page: partners', async () => {
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await viewer().partners.list.query({
        limit: 1,
        ...(cursor === undefined ? {} : { cursor }),
      });
      found.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(found.toSorted()).toEqual(Object.values(partnerIds).toSorted());
  });

  it('begins at no cursor but one that a page gave', async () => {
    const refused = { data: { appCode: 'FIELD_INVALID' } };
    await expect(viewer().requests.search.query({ cursor: 'x' })).rejects.toMatchObject(refused);
    await expect(viewer().partners.list.query({ cursor: 'x' })).rejects.toMatchObject(refused);
  });
});
