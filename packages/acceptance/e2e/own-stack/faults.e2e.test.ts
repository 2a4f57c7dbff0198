import { access, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { services } from '@rubrica/contracts/shared/enumerations';
import { disposeAfterAll } from '@rubrica/testkit';
import { openBrowser } from '@rubrica/testkit/browser';
import { describe, expect, it, onTestFinished } from 'vitest';
import { visitConsole } from '../support/console-visitor.ts';
import { type Backlog, countCertificates, deadLetters, jobBacklogs } from '../support/ledger.ts';
import { operatorActor } from '../support/operator-actor.ts';
import { until } from '../support/poll.ts';
import { openScene } from '../support/scene.ts';
import { keepInFlight } from '../support/traffic.ts';

const scene = await disposeAfterAll(openScene({ copies: { intake: 2, generation: 2, notifier: 2 } }));

const isGone = (path: string) =>
  access(path).then(
    () => undefined,
    () => true as const,
  );

describe('with 200 requests in flight, every service, the relay and nats-server killed in turn', () => {
  it('every accepted request ends with one certificate and one event', { timeout: 600_000 }, async () => {
    const { stack, partners } = scene;
    const { sandbox } = partners;
    const traffic = keepInFlight(sandbox, 200);
    const kills: [string, () => Promise<unknown>][] = [
      ...services.map((name): [string, () => Promise<unknown>] => [name, () => stack.services[name].kill()]),
      [
        'relay',
        async () => {
          const armed = join(stack.crashpointDir, 'relay-after-publish-before-mark');
          await writeFile(armed, '');
          await until('the relay’s crash point', () => isGone(armed));
        },
      ],
      ['nats', async () => stack.nats?.kill().then(() => stack.nats?.restart())],
    ];
    for (const [name, kill] of kills) {
      await traffic.advance(15);
      expect(traffic.inFlight(), `in flight when ${name} is killed`).toBeGreaterThan(100);
      await kill();
    }
    await traffic.advance(15);
    await traffic.finish();

    const certificates = await countCertificates(stack);
    expect(traffic.accepted.filter(({ requestId }) => certificates.get(requestId) !== 1)).toEqual([]);
    expect(certificates.size).toBe(traffic.accepted.length);
    for (const { reference } of traffic.accepted) await sandbox.reaches(reference, 'GENERATED');
    const events = Map.groupBy(sandbox.allEvents(), ({ body }) => body.referenceTransaction);
    for (const { reference } of traffic.accepted) {
      const received = events.get(reference) ?? [];
      expect(new Set(received.map(({ id }) => id)).size).toBe(1);
      expect(new Set(received.map(({ raw }) => raw)).size).toBe(1);
    }
    expect(sandbox.faults()).toEqual([]);
    let backlogs: Backlog[] = [];
    await until(
      'nothing left to do',
      async () => {
        backlogs = await jobBacklogs(stack);
        return backlogs.every(({ pending, unacknowledged }) => pending + unacknowledged === 0) || undefined;
      },
      { deadlineMs: 150_000, seen: () => backlogs },
    );
    expect(await deadLetters(stack)).toBe(0);
  });
});

describe('the list of what waits for a second administrator, while a service is frozen', () => {
  it('says whose changes are missing, and shows them by itself once they are told', async () => {
    const info = scene.stack.info();
    const admin = await operatorActor(info, 'admin');
    const version = 'proposed before the fault';
    const type = 'TRANSACTIONAL_SIGNATURE';
    const { id } = await admin.call('terms.createVersion', { type, version, content: 'Términos' });
    const { approvalId = '' } = await admin.call('terms.activate', { id });
    const browser = await openBrowser();
    onTestFinished(async ({ task }) => {
      await browser.closePages(task);
      await browser[Symbol.asyncDispose]();
    });
    const visitor = await visitConsole(browser, info, { language: 'en' });
    await visitor.signIn('admin2');
    const row = visitor.page.locator(`a[href="/approvals/${approvalId}"]`);
    const { pid } = info.services.terms;
    process.kill(pid, 'SIGSTOP');
    onTestFinished(() => void process.kill(pid, 'SIGCONT'));
    await visitor.open('/approvals');
    await visitor.page.getByText('Did not answer: Terms').waitFor();
    expect(await row.count()).toBe(0);
    expect(await visitor.page.getByText('No change waits').count()).toBe(0);
    await visitor.screenshot('approvals-while-a-service-is-away');
    process.kill(pid, 'SIGCONT');
    await row.waitFor();
    expect(await visitor.page.getByText('Did not answer').count()).toBe(0);
    expect(visitor.complaints).toEqual([]);
  });
});
