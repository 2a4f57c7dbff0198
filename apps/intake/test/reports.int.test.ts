import { disposeAfterAll, pollFor } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { operatorsById, reviewGround } from './support/reviews.ts';
import { makeRegistration, partnerIds } from './support/running-intake.ts';

const minuteMs = 60_000;

const ground = await disposeAfterAll(reviewGround());
// What is registered and ends on the same day where the deployment is, at whatever time of day this runs.
if (minutesLeftOfDay() < 60) ground.pass(60 * minuteMs);
// One is issued ten minutes after its registration, one refused after half an hour of review, one waits.
const issued = makeRegistration();
await ground.partner('sandbox').register.mutate(issued);
await reaches(issued.requestId, 'GENERATING');
ground.pass(10 * minuteMs);
await ground.intake.tell('events.certificate.issued', {
  requestId: issued.requestId,
  attempt: 1,
  certificateId: operatorsById.admin,
  serialNumber: '5A',
  notBefore: ground.clock().toISOString(),
  notAfter: new Date(ground.clock().getTime() + 365 * 86_400_000).toISOString(),
  cappedBy: null,
  truncated: [],
});
await reaches(issued.requestId, 'GENERATED');
const refused = await ground.waiting('sandbox');
ground.pass(30 * minuteMs);
await ground.as('reviewer').reject.mutate({ requestId: refused, codes: ['DOCUMENT_ILLEGIBLE'] });
await ground.waiting('other');

/** In Ecuador, five hours behind UTC all year. */
function minutesLeftOfDay(): number {
  const minutes = Math.floor(ground.clock().getTime() / minuteMs) - 5 * 60;
  return 1_440 - (minutes % 1_440);
}

async function reaches(requestId: string, status: string) {
  await pollFor(async () => (await ground.statusOf(requestId)).status === status, {
    deadlineMs: 60_000,
    what: status,
  });
}

function viewer() {
  return ground.intake.operators({
    kind: 'operator',
    operatorId: operatorsById.viewer,
    email: 'viewer@example.com',
    role: 'viewer',
  });
}
const reports = () => viewer().reports;

describe('a report of this month', () => {
  it('says what became of the requests of each partner', async () => {
    const { items, asOf } = await reports().usage.query({});
    const none = { registered: 0, issued: 0, refused: 0, cancelled: 0, expired: 0 };
    expect(items.map(({ partnerId, byFamily }) => [partnerId, byFamily])).toEqual([
      [
        partnerIds.sandbox,
        { TV: { ...none, registered: 2, issued: 1, refused: 1 }, FR: none, FT: none, FS: none, API: none },
      ],
      [partnerIds.other, { TV: { ...none, registered: 1 }, FR: none, FT: none, FS: none, API: none }],
    ]);
    expect(asOf).not.toBeNull();
  });

  it('says how long they took, and goes on where the notifier does not answer', async () => {
    const { items, hasWebhooks } = await reports().serviceLevels.query({ partnerId: partnerIds.sandbox });
    const [row] = items;
    expect(row).toMatchObject({ registered: 2, issued: 1, refused: 1, reviews: 1, webhooks: 0 });
    expect(row).toMatchObject({ cancelled: 0, expired: 0, cancelledShare: 0, expiredShare: 0 });
    expect([row?.issuedShare, row?.refusedShare]).toEqual([0.5, 0.5]);
    const within3Percent = (seconds: number) => [seconds * 0.97, seconds * 1.03] as const;
    for (const [seen, wanted] of [
      [row?.outcomeP50Seconds, 600],
      [row?.outcomeP95Seconds, 1_800],
      [row?.certificateP50Seconds, 600],
      [row?.certificateP95Seconds, 600],
      [row?.reviewP50Seconds, 1_800],
    ] as const) {
      const [least, most] = within3Percent(wanted);
      // Steps between take real time beside the clock that the test moves.
      expect(seen).toBeGreaterThan(least);
      expect(seen).toBeLessThan(most + 60);
    }
    expect(hasWebhooks).toBe(false);
  });

  it('adds up with the usage of a partner, of whom it says the same', async () => {
    const { items } = await reports().usage.query({});
    for (const { partnerId, month, byFamily } of items) {
      const id = { id: partnerId, month };
      expect((await viewer().partners.usage.query(id)).byFamily).toEqual(byFamily);
    }
  });

  it('comes page by page, by partner', async () => {
    const first = await reports().usage.query({ limit: 1 });
    expect(first.items.map(({ partnerId }) => partnerId)).toEqual([partnerIds.sandbox]);
    const next = await reports().usage.query({ limit: 1, cursor: first.nextCursor ?? '' });
    expect([next.items.map(({ partnerId }) => partnerId), next.nextCursor]).toEqual([
      [partnerIds.other],
      null,
    ]);
  });
});

it('a report of a month without requests is empty, and of no month is refused', async () => {
  expect(await reports().usage.query({ month: '2020-01' })).toEqual({
    items: [],
    nextCursor: null,
    asOf: null,
  });
  await expect(reports().usage.query({ month: '2026-13' })).rejects.toMatchObject({
    data: { appCode: 'FIELD_INVALID' },
  });
});
