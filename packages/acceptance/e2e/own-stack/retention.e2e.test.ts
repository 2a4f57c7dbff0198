import { describe, expect, it } from 'vitest';
import { queryStack } from '../support/ledger.ts';
import { byTwoAdministrators } from '../support/operator-actor.ts';
import { until } from '../support/poll.ts';
import { closeAfterAll, openScene } from '../support/scene.ts';

const scene = await closeAfterAll(openScene());

function erase(requestId: string) {
  return byTwoAdministrators(scene.stack.info(), 'requests.erase', { requestId, reason: 'asked' });
}

const canary = 'Kanarienvogel';
const ledgers = ['intake', 'generation', 'notifier'];

/** Every table of every service with a database, in which these words stand in whatever column. */
async function tablesWith(words: string): Promise<string[]> {
  const tables = await queryStack<{ name: string }>(
    scene.stack,
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_schema = any($1) and table_type = 'BASE TABLE'`,
    [ledgers],
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const sql = `select 1 from ${name} as t where t::text ilike $1 limit 1`;
    if ((await queryStack(scene.stack, sql, [`%${words}%`])).length > 0) found.push(name);
  }
  return found.sort();
}

describe('an erasure', () => {
  it('of a request for which nothing was issued leaves no word of the applicant in any table', async () => {
    const { sandbox } = scene.partners;
    const nameMismatch = '2450000803';
    const { reference, requestId } = await sandbox.accepted({
      identificationNumber: nameMismatch,
      applicantName: canary,
      email: `${canary}@example.com`,
      address: `Av. ${canary}`,
      callbackUrl: `${sandbox.callbackUrl}/${canary}`,
    });
    await sandbox.reaches(reference, 'ERROR');
    const delivery = () =>
      queryStack<{ state: string; body: string | null }>(
        scene.stack,
        'select state, body from notifier.delivery where request_id = $1',
        [requestId],
      );
    await until('the delivery', async () => (await delivery())[0]?.body);
    await sandbox.cancel({ referenceTransaction: reference, reason: `asked by ${canary}` });
    expect(await tablesWith(canary)).toEqual([
      'intake.request',
      'intake.request_word',
      'intake.timeline',
      'notifier.delivery',
    ]);

    const erasure = await erase(requestId);
    expect(erasure).toMatchObject({ pending: [], requests: [{ kept: [] }] });
    expect(await tablesWith(canary)).toEqual([]);
    expect(await tablesWith(nameMismatch)).toEqual([]);
    expect((await delivery()).map(({ body }) => body)).toEqual([null]);
    expect(
      await queryStack(scene.stack, 'select 1 from intake.evidence where request_id = $1', [requestId]),
    ).toEqual([]);
    expect((await sandbox.view(reference)).status).toBe('CANCELLED');
  });

  it('of an issued request takes file and password from every service and keeps the proof', async () => {
    const { sandbox } = scene.partners;
    const { reference, requestId } = await sandbox.accepted();
    await sandbox.hears(reference, 'certificate.issued');
    const { requests, pending } = await erase(requestId);
    expect(pending).toEqual([]);
    expect(requests[0]?.kept.map(({ kind }) => kind)).toContain('EVIDENCE');
    const bundles = () =>
      queryStack<{ hasBody: boolean; isDestroyed: boolean; hasPassword: boolean }>(
        scene.stack,
        `select d.body is not null as "hasBody", b.sealed is null as "isDestroyed",
           r.sealed_password is not null as "hasPassword" from intake.request r
         join notifier.delivery d on d.request_id = r.id join generation.certificate c on c.request_id = r.id
         join generation.bundle b on b.certificate_id = c.id where r.id = $1`,
        [requestId],
      );
    await until('the bundle is destroyed', async () => (await bundles())[0]?.isDestroyed || undefined, {
      deadlineMs: 90_000,
      seen: () => 'still there',
    });
    expect(await bundles()).toEqual([{ hasBody: false, isDestroyed: true, hasPassword: false }]);
  });
});
