import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { formatLocalDate } from '@rubrica/process/time';
import { disposeAfterAll, makeReference } from '@rubrica/testkit';
import { expect, it } from 'vitest';
import { playCertificates, reminderGround } from './support/reminders.ts';
import { asPartner, makeRegistration } from './support/running-intake.ts';

/** Its year has the leap day, and the time to renew it goes over the change of the year. */
const issuedAt = new Date('2027-12-15T10:00:00-05:00');
const endsAt = new Date('2028-12-15T09:59:59-05:00');
const ground = await disposeAfterAll(reminderGround());
await disposeAfterAll(playCertificates(ground.intake));
ground.pass(issuedAt.getTime() - Date.now());
await ground.setPartner({ events: ['certificate.expiring', 'certificate.revoked'] });

const partner = () => ground.intake.client(asPartner('sandbox'));

/** What a day changed, under its date. */
type Diary = Record<string, string[]>;

async function mayRenew(referenceTransaction: string): Promise<boolean> {
  const wish = {
    ...{ requestId: crypto.randomUUID(), referenceTransaction, newReferenceTransaction: makeReference() },
    ...{ fields: {}, faults: [], files: [], supersede: false },
    sealedPassword: makeRegistration().sealedPassword ?? '',
  };
  const answer = await partner()
    .certificates.renewDryRun.query(wish)
    .catch((error: { data?: { appCode?: string } }) => error.data?.appCode);
  return answer !== 'RENEWAL_NOT_OPEN';
}

it('a certificate of one year is lived through day by day', { timeout: 240_000 }, async () => {
  const input = makeRegistration();
  await partner().requests.register.mutate(input);
  const { requestId } = input;
  const referenceTransaction = String(input.fields.referenceTransaction);
  const days = (endsAt.getTime() + 1_000 - issuedAt.getTime()) / DAY_MS;
  const notAfter = await ground.issue(requestId, { days });
  expect([days, formatLocalDate(notAfter, 'America/Guayaquil')]).toEqual([366, '2028-12-15']);

  const look = async () => {
    const { certificateStatus } = await partner().requests.status.query({ family: 'TV', requestId });
    const mails = await ground.mailsOf(requestId);
    const events = await ground.eventsOf(requestId);
    const isOpen = await mayRenew(referenceTransaction);
    return { certificateStatus, isOpen, mails, events };
  };
  const diary: Diary = {};
  let seen = await look();
  for (let day = 1; day <= days + 65; day += 1) {
    const { now } = await partner().sandbox.advance.mutate({ referenceTransaction, days: 1 });
    // What came too early shows at the first look.
    if (days - day > 65) continue;
    const next = await look();
    const changes = [
      ...next.mails.slice(seen.mails.length).map(({ template }) => `mail ${template}`),
      ...next.events.slice(seen.events.length).map(({ type, daysLeft }) => `${type} ${daysLeft}`),
      ...(next.certificateStatus === seen.certificateStatus ? [] : [`is ${next.certificateStatus}`]),
      ...(next.isOpen === seen.isOpen ? [] : [next.isOpen ? 'renewal opens' : 'renewal closes']),
    ];
    if (changes.length > 0) diary[formatLocalDate(new Date(now), 'America/Guayaquil')] = changes;
    seen = next;
  }
  expect(diary).toEqual({
    '2028-10-16': ['renewal opens'],
    '2028-11-15': ['mail end-reminder', 'certificate.expiring 30'],
    '2028-11-30': ['mail end-reminder'],
    '2028-12-10': ['mail end-reminder', 'certificate.expiring 5'],
    '2028-12-14': ['mail end-reminder'],
    '2028-12-15': ['is EXPIRED'],
    '2029-02-13': ['renewal closes'],
  });
});

it('what one step makes due counts as due at once, and a renewal begins with a clock of its own', async () => {
  const { requestId, referenceTransaction } = await ground.issued({ days: 365 });
  const advance = (days: number) => partner().sandbox.advance.mutate({ referenceTransaction, days });
  await advance(355);
  const told = async () => (await ground.eventsOf(requestId)).map(({ daysLeft }) => daysLeft);
  expect([(await ground.mailsOf(requestId)).length, await told()]).toEqual([1, [10]]);
  const newReferenceTransaction = makeReference();
  const renewed = await partner().certificates.renew.mutate({
    ...{ requestId: crypto.randomUUID(), referenceTransaction, newReferenceTransaction },
    ...{ fields: {}, faults: [], files: [], supersede: false },
    sealedPassword: makeRegistration().sealedPassword ?? '',
  });
  const { advancedDays } = await partner().sandbox.advance.mutate({
    referenceTransaction: newReferenceTransaction,
    days: 1,
  });
  expect(advancedDays).toBe(1);
  // Past its end nothing is due any more, whatever the step has jumped over.
  await advance(100);
  expect([(await ground.mailsOf(requestId)).length, await told()]).toEqual([1, [10]]);
  await ground.issue(renewed.requestId);
  expect(await ground.mailsOf(renewed.requestId)).toEqual([]);
});

it('of a certificate that ended long ago one step sends nothing', async () => {
  const { requestId, referenceTransaction } = await ground.issued({ days: 365 });
  await partner().sandbox.advance.mutate({ referenceTransaction, days: 500 });
  expect([await ground.mailsOf(requestId), await ground.eventsOf(requestId)]).toEqual([[], []]);
});
