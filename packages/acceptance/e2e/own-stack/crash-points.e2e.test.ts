import { randomInt } from 'node:crypto';
import { access, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createClaimClient, disposeAfterAll } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { countCertificates, queryStack } from '../support/ledger.ts';
import { until } from '../support/poll.ts';
import { openScene } from '../support/scene.ts';
import { registerStubbornly } from '../support/traffic.ts';

/** All at once: most of the time is waiting for the leases of the dead to end. */
const outcomes = new Map<string, Promise<void>>();
const patience = { deadlineMs: 280_000 };

/**
 * Where a call of a person's or a partner's is under way, who can come again, where a receiver must have failed for days, or where a
 * certificate must end: tested by the service itself.
 */
const testedAtHome = [
  'intake-after-registration',
  'intake-after-cancel',
  'intake-after-claim',
  'intake-after-report',
  'intake-after-own-revocation',
  'intake-before-own-renewal',
  'intake-after-own-renewal',
  'intake-before-reminders',
  'intake-after-reminders',
  'intake-before-revocation',
  'intake-after-revocation',
  'intake-after-superseded',
  'intake-before-identity-outcome',
  'intake-after-identity-outcome',
  'intake-before-liveness-session',
  'intake-after-liveness-session',
  'intake-before-liveness-outcome',
  'intake-after-liveness-outcome',
  'intake-after-issuance-starts',
  'notice-before-send',
  'notice-after-send',
];

const foldersWithPoints = [
  'intake/src/base',
  'generation/src/issuance',
  'notifier/src/deliveries',
  'notifier/src/applicant-messages',
  'notifier/src/destination-notices',
];

/** From the services themselves, so that a new crash point without a scenario fails here. */
async function namedPoints(): Promise<string[]> {
  const apps = join(import.meta.dirname, '../../../../apps');
  const tables = await Promise.all(
    foldersWithPoints.map(async (folder) => {
      const { href } = pathToFileURL(join(apps, folder, 'crash-points.ts'));
      return ((await import(href)) as { crashPoints: Record<string, string> }).crashPoints;
    }),
  );
  const named = tables.flatMap((table) => Object.values(table));
  return ['relay-after-publish-before-mark', ...named.filter((point) => !testedAtHome.includes(point))];
}

const points = await namedPoints();

async function armed(point: string): Promise<void> {
  await writeFile(join(scene.stack.crashpointDir, point), '');
}

/** The file is removed by the process that dies. What another point's death has interrupted comes again later. */
const fired = (point: string, whileNot: () => Promise<void> = async () => undefined) =>
  until(
    `a death at ${point}`,
    async () => {
      const isArmed = await access(join(scene.stack.crashpointDir, point)).then(
        () => true,
        () => false,
      );
      if (!isArmed) return true;
      await whileNot();
      return undefined;
    },
    patience,
  );

async function issuesOnce(point: string): Promise<void> {
  const { sandbox } = scene.partners;
  const failsFirst = point === 'generation-after-failure';
  await armed(point);
  const register = () =>
    registerStubbornly(sandbox, failsFirst ? { identificationNumber: '2450001207' } : {});
  let { reference, requestId } = await register();
  await fired(point, async () => {
    // Only a failing request comes by this point, and another point's death may take it away just before.
    const seen = failsFirst ? await sandbox.view(reference).catch(() => undefined) : undefined;
    if (seen?.status === 'ERROR') {
      ({ reference, requestId } = await register());
    }
  });
  if (failsFirst) {
    await sandbox.reaches(reference, 'ERROR', patience.deadlineMs);
    await until('the retry', async () => {
      const { status } = await sandbox.retry({ referenceTransaction: reference });
      // 409: a call whose answer was lost has been heard.
      return status === 200 || status === 409 || undefined;
    });
  }
  await sandbox.reaches(reference, 'GENERATED', patience.deadlineMs);
  const { id } = await sandbox.hears(reference, 'certificate.issued', patience);
  // Order is not promised: where the notifier died too, the error may be heard after the success.
  if (failsFirst) await sandbox.hears(reference, 'request.error', patience);
  expect((await countCertificates(scene.stack)).get(requestId)).toBe(1);
  const issued = sandbox.eventsOf(reference).filter(({ type }) => type === 'certificate.issued');
  expect(new Set(issued.map((event) => event.id))).toEqual(new Set([id]));
  const errors = sandbox.eventsOf(reference).filter(({ type }) => type === 'request.error');
  expect(new Set(errors.map((event) => event.id)).size).toBe(failsFirst ? 1 : 0);
}

interface Message {
  readonly text: string;
}

/** What the catcher holds for an address or number, once the ledger says that all of one channel has its end. */
const sentTo = (to: string, { requestId, channel }: { requestId: string; channel: 'email' | 'sms' }) =>
  until(
    `what was sent to ${to}`,
    async () => {
      const rows = await queryStack<{ state: string }>(
        scene.stack,
        'select state from notifier.message where request_id = $1 and channel = $2',
        [requestId, channel],
      );
      // The states first: what is sent between the two looks would else be missed.
      const states = rows.map(({ state }) => state);
      if (states.includes('PENDING') || !states.includes('SENT')) return undefined;
      const { mailUrl } = scene.stack.info();
      const response = await fetch(`${mailUrl}/messages?${new URLSearchParams({ to })}`);
      return (await response.json()) as Message[];
    },
    patience,
  );

async function mailsOnce(point: string): Promise<void> {
  const { otp } = scene.partners;
  const email = `${point}@correo.example`;
  await armed(point);
  const { reference, requestId } = await registerStubbornly(otp, { email, password: undefined });
  await fired(point);
  const mails = await sentTo(email, { requestId, channel: 'email' });
  // Sent once more where nobody could know that it had been: with the same link, so it is the same mail.
  expect(mails.length).toBeGreaterThanOrEqual(1);
  expect(new Set(mails.map(({ text }) => text)).size).toBe(1);
  await otp.reaches(reference, 'APPROVED', patience.deadlineMs);
}

/** A code that a process was sending when it ended reaches the applicant without a new request, and opens the claim. */
async function codesOnce(point: string): Promise<void> {
  const { otp } = scene.partners;
  const email = `${point}@correo.example`;
  const cellphoneNumber = `+5939${String(randomInt(1e8)).padStart(8, '0')}`;
  const { reference, requestId } = await registerStubbornly(otp, {
    email,
    cellphoneNumber,
    password: undefined,
  });
  const [mail] = await sentTo(email, { requestId, channel: 'email' });
  const client = createClaimClient({
    link: /https?:\/\/\S+\/claim\/[\w-]+/.exec(mail?.text ?? '')?.[0] ?? '',
  });
  await armed(point);
  const asked = async () => {
    const page = await client.sendCode().catch(() => undefined);
    // Another point's death may have taken the answer: whoever gets none asks again.
    return page?.status === 200 || undefined;
  };
  await until('a page that says where the code went', asked, { everyMs: 1_000 });
  await fired(point);
  const codes = await sentTo(cellphoneNumber, { requestId, channel: 'sms' });
  // A provider that honours the idempotency key sends none twice.
  expect(new Set(codes.map(({ text }) => text)).size).toBe(codes.length);
  const code = await client.readCode(scene.stack.info().mailUrl, cellphoneNumber);
  await until('the claim', async () => {
    const page = await client.claim({ code, password: 'una clave larga' }).catch(() => undefined);
    return page?.status === 200 || undefined;
  });
  await otp.reaches(reference, 'GENERATED', patience.deadlineMs);
  expect((await countCertificates(scene.stack)).get(requestId)).toBe(1);
}

const scenarios: Readonly<Record<string, typeof issuesOnce>> = { mail: mailsOnce, sms: codesOnce };

const env = { ISSUANCE_LEASE_SECONDS: '5' };
const scene = await disposeAfterAll(openScene({ copies: { intake: 2, generation: 2, notifier: 2 }, env }));
for (const point of points) {
  const [channel = ''] = point.split('-');
  const outcome = (scenarios[channel] ?? issuesOnce)(point);
  // Its own test sees the failure.
  outcome.catch(() => undefined);
  outcomes.set(point, outcome);
}

describe('a process killed at', () => {
  it.each(points)('%s leaves nothing lost and nothing twice', { timeout: 600_000 }, async (point) => {
    await outcomes.get(point);
  });
});
