import { access, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { certificatesOf, queryStack } from './support/ledger.ts';
import { until } from './support/poll.ts';
import { openScene, type Scene } from './support/scene.ts';

let scene: Scene;

beforeAll(async () => {
  scene = await openScene({ copies: { intake: 2, generation: 2, notifier: 2 } });
});
afterAll(() => scene?.[Symbol.asyncDispose]());

/** From the services themselves, so that a new crash point without a scenario fails here. */
async function namedPoints(): Promise<string[]> {
  const apps = join(import.meta.dirname, '../../../apps');
  const tables = await Promise.all(
    ['intake', 'generation', 'notifier'].map(async (service) => {
      const { href } = pathToFileURL(join(apps, service, 'src/crash-points.ts'));
      return ((await import(href)) as { crashPoints: Record<string, string> }).crashPoints;
    }),
  );
  return ['relay-after-publish-before-mark', ...tables.flatMap((table) => Object.values(table))];
}

async function armed(point: string): Promise<void> {
  await writeFile(join(scene.stack.crashpointDir, point), '');
}

/** The file is removed by the process that dies. */
const fired = (point: string) =>
  until(
    `a death at ${point}`,
    () =>
      access(join(scene.stack.crashpointDir, point)).then(
        () => undefined,
        () => true as const,
      ),
    // What another test's death has interrupted comes again when its lease has ended.
    { deadlineMs: 150_000 },
  );

async function issuesOnce(point: string): Promise<void> {
  const { sandbox } = scene.partners;
  const failsFirst = point === 'generation-after-failure';
  await armed(point);
  const { reference, requestId } = await sandbox.accepted(
    failsFirst ? { identificationNumber: '2450001207' } : {},
  );
  await fired(point);
  if (failsFirst) {
    await sandbox.reaches(reference, 'ERROR', 120_000);
    await sandbox.retry({ referenceTransaction: reference });
  }
  await sandbox.reaches(reference, 'GENERATED', 180_000);
  const { id } = await sandbox.hears(reference, 'certificate.issued');
  expect((await certificatesOf(scene.stack)).get(requestId)).toBe(1);
  const issued = sandbox.eventsOf(reference).filter(({ type }) => type === 'certificate.issued');
  expect(new Set(issued.map((event) => event.id))).toEqual(new Set([id]));
  const errors = sandbox.eventsOf(reference).filter(({ type }) => type === 'request.error');
  expect(new Set(errors.map((event) => event.id)).size).toBe(failsFirst ? 1 : 0);
}

async function mailsOnce(point: string): Promise<void> {
  const { otp } = scene.partners;
  const email = `${point}@correo.example`;
  await armed(point);
  const { reference, requestId } = await otp.accepted({ email, password: undefined });
  await fired(point);
  const mails = await until(
    'the claim mail',
    async () => {
      const response = await fetch(`${scene.stack.info().mailUrl}/messages?to=${email}`);
      const found = (await response.json()) as { text: string }[];
      const [row] = await queryStack<{ state: string }>(
        scene.stack,
        'select state from notifier.message where request_id = $1',
        [requestId],
      );
      return row?.state === 'SENT' ? found : undefined;
    },
    { deadlineMs: 180_000 },
  );
  // Sent once more where nobody could know that it had been: with the same link, so it is the same mail.
  expect(mails.length).toBeGreaterThanOrEqual(1);
  expect(new Set(mails.map(({ text }) => text)).size).toBe(1);
  expect(await otp.view(reference)).toMatchObject({ status: 'APPROVED' });
}

describe.concurrent('a process killed at', async () => {
  it.each(await namedPoints())(
    '%s leaves nothing lost and nothing twice',
    { timeout: 300_000 },
    async (point) => {
      await (point.startsWith('mail-') ? mailsOnce(point) : issuesOnce(point));
    },
  );
});
