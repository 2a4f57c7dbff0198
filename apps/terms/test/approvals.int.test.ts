import { expireChanges } from '@rubrica/approvals/expire-changes';
import { createEntryGuard } from '@rubrica/audit/entries';
import { digestApproval } from '@rubrica/contracts/shared/approval-challenge';
import { createDatabase } from '@rubrica/database/connection';
import { createSweeper } from '@rubrica/database/sweeper';
import { loadKeyring } from '@rubrica/process/keyring';
import { uuidv7 } from '@rubrica/process/time';
import { disposeAfterAll } from '@rubrica/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { auditLog } from '../src/store/audit-log.ts';
import { schema } from '../src/store/schema.ts';
import { operator, secondAdministrator } from './support/callers.ts';
import { runningTerms } from './support/running-terms.ts';

const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** An administrator alone, and an attacker with the rights of this service's role in the database and nothing else. */
const terms = await disposeAfterAll(runningTerms());
const attacker = await disposeAfterAll(
  createDatabase({ url: terms.ground.service.appUrl, schema, entities: [], logger }),
);

const firstId = operator('admin').operatorId;
const secondId = secondAdministrator.operatorId;
beforeEach(async () => {
  await terms.database.query('truncate terms.terms_version, terms.approval cascade');
  for (const id of [firstId, secondId]) terms.administrators.set(id, true);
  terms.administrators.bind(false);
});

const first = () => terms.operatorClient(operator('admin'));
const second = () => terms.operatorClient(secondAdministrator);
const refusal = (appCode: string) => ({ data: { appCode } });
const active = async () => (await first().terms.list.query({})).items.filter((one) => one.active);

async function proposed(version = '1.0') {
  const text = { type: 'TRADITIONAL_SIGNATURE', version, content: version } as const;
  const { id } = await first().terms.createVersion.mutate(text);
  const answer = await first().terms.activate.mutate({ id });
  expect(answer).toMatchObject({ id, active: false, approvalId: expect.stringMatching(/^terms\./) });
  return { id, approvalId: answer.approvalId ?? '' };
}

async function isRefused(approvalId: string, code: string, by = second()): Promise<void> {
  await expect(by.approvals.approve.mutate({ id: approvalId })).rejects.toMatchObject(refusal(code));
  expect(await active()).toEqual([]);
}

describe('one administrator', () => {
  it('does not activate terms, nor by approving it himself', async () => {
    const { id, approvalId } = await proposed();
    await isRefused(approvalId, 'FORBIDDEN', first());
    expect(await second().approvals.list.query({})).toMatchObject({
      items: [
        {
          id: approvalId,
          change: { procedure: 'terms.activate', input: { id } },
          before: { id, version: '1.0', active: false, replaces: null },
          proposedBy: 'admin@rubrica.test',
        },
      ],
      nextCursor: null,
      unanswered: [],
    });
    await second().approvals.approve.mutate({ id: approvalId });
    expect(await active()).toMatchObject([{ id }]);
  });

  it('is told so where there is no second one', async () => {
    const { id } = await proposed();
    terms.administrators.set(secondId, false);
    await expect(first().terms.activate.mutate({ id })).rejects.toMatchObject(
      refusal('SECOND_ADMINISTRATOR_NEEDED'),
    );
  });

  it('who is none any more changes nothing, though the token says otherwise', async () => {
    const { id } = await proposed();
    terms.administrators.set(firstId, false);
    for (const change of [
      () => first().terms.activate.mutate({ id }),
      () => first().terms.createVersion.mutate({ type: 'TRADITIONAL_SIGNATURE', version: '9', content: 'x' }),
    ])
      await expect(change()).rejects.toMatchObject(refusal('FORBIDDEN'));
  });
});

describe('an approval is refused', () => {
  it('of a second person who is no enabled administrator now', async () => {
    const { approvalId } = await proposed();
    terms.administrators.set(secondId, false);
    await isRefused(approvalId, 'FORBIDDEN');
  });

  it('after its proposer is none any more', async () => {
    const { approvalId } = await proposed();
    terms.administrators.set(firstId, false);
    await isRefused(approvalId, 'REQUEST_STATE_NOT_ALLOWED');
  });

  it('of two persons of whom one has made the other, within seven days', async () => {
    const { approvalId } = await proposed();
    terms.administrators.bind(true);
    await isRefused(approvalId, 'FORBIDDEN');
  });

  it('of a person whose role is none of an administrator', async () => {
    const { approvalId } = await proposed();
    await isRefused(approvalId, 'FORBIDDEN', terms.operatorClient(operator('reviewer')));
  });

  it('after another version has become the active one', async () => {
    const [one, other] = [await proposed('1.0'), await proposed('2.0')];
    await second().approvals.approve.mutate({ id: other.approvalId });
    await expect(second().approvals.approve.mutate({ id: one.approvalId })).rejects.toMatchObject(
      refusal('REQUEST_STATE_NOT_ALLOWED'),
    );
    expect(await active()).toMatchObject([{ id: other.id }]);
  });

  it('once it was used, and under the name of another service', async () => {
    const { approvalId } = await proposed();
    await expect(
      second().approvals.approve.mutate({ id: approvalId.replace('terms.', 'other.') }),
    ).rejects.toMatchObject(refusal('FIELD_INVALID'));
    await second().approvals.approve.mutate({ id: approvalId });
    await expect(second().approvals.approve.mutate({ id: approvalId })).rejects.toMatchObject(
      refusal('REQUEST_NOT_FOUND'),
    );
  });
});

it('a proposal is bound to what approvals.get shows', async () => {
  const { approvalId } = await proposed();
  const shown = await second().approvals.get.query({ id: approvalId });
  const kept = await terms.database.query<{ digest: string }>('select digest from terms.approval');
  expect(kept).toEqual([{ digest: await digestApproval(shown) }]);
});

describe('who may write to the tables of terms alone', () => {
  /** A proposal as the service would have made it, digest and all, but for the key of its rows. */
  async function forged(id: string): Promise<string> {
    const bound = {
      procedure: 'terms.activate',
      input: { id },
      before: { id, type: 'TRADITIONAL_SIGNATURE', version: '1.0', active: false, replaces: null },
    };
    const digest = await digestApproval({ change: bound, before: bound.before });
    const forgedId = uuidv7();
    await attacker.execute(
      `insert into approval (id, procedure, input, before, after, digest, proposed_by, proposer_email, created_at,
         expires_at, version, mac)
       select $1, $2, $3, $4, '{}', $5, $6, 'admin@rubrica.test', now(), now() + interval '1 day', 1,
         coalesce((select mac from approval limit 1), '')`,
      [forgedId, bound.procedure, JSON.stringify(bound.input), JSON.stringify(bound.before), digest, firstId],
    );
    return `terms.${forgedId}`;
  }

  it('forges no proposal, nor stands in the way of a true one', async () => {
    const text = { type: 'TRADITIONAL_SIGNATURE', version: '1.0', content: 'a' } as const;
    const { id } = await first().terms.createVersion.mutate(text);
    const approvalId = await forged(id);
    await isRefused(approvalId, 'REQUEST_NOT_FOUND');
    expect((await second().approvals.list.query({})).items).toEqual([]);
    const { approvalId: real = '' } = await first().terms.activate.mutate({ id });
    expect(real).not.toBe(approvalId);
    await second().approvals.approve.mutate({ id: real });
    expect(await active()).toMatchObject([{ id }]);
  });

  it.each([
    ['another person for its proposer', `proposed_by = '${secondId}', proposer_email = 'x@rubrica.test'`],
    ['another proposal', `input = jsonb_build_object('id', gen_random_uuid())`],
    ['another record', `before = before || '{"replaces": "none"}'`],
    ['another digest', `digest = repeat('0', 64)`],
    ['a longer life', `expires_at = expires_at + interval '1 second'`],
    ['another version', 'version = 2'],
  ])('gives a proposal no %s', async (_what, set) => {
    const { approvalId } = await proposed();
    await attacker.execute(`update approval set ${set}`);
    await isRefused(approvalId, 'REQUEST_NOT_FOUND');
    await isRefused(approvalId, 'REQUEST_NOT_FOUND', first());
  });
});

it('nothing is decided while intake does not answer, and what waits is shown', async () => {
  await using other = await runningTerms();
  const text = { type: 'TRADITIONAL_SIGNATURE', version: '1.0', content: 'a' } as const;
  const admin = other.operatorClient(operator('admin'));
  const { id } = await admin.terms.createVersion.mutate(text);
  const { approvalId = '' } = await admin.terms.activate.mutate({ id });
  await other.stopIntake();
  const { approvals } = other.operatorClient(secondAdministrator);
  await expect(approvals.approve.mutate({ id: approvalId })).rejects.toMatchObject(
    refusal('SERVICE_UNAVAILABLE'),
  );
  expect((await approvals.list.query({})).items).toMatchObject([{ id: approvalId }]);
});

it('what nobody has decided in 72 hours ends, and the audit log says so', async () => {
  const { approvalId } = await proposed();
  const hour = 3_600_000;
  const { keys: files, service } = terms.ground;
  const keys = await loadKeyring({ keysFile: files.keysFile.terms, peersFile: files.peersFile }, 'terms');
  const entries = createEntryGuard({ table: auditLog.table, keys });
  await using own = createDatabase({ url: service.appUrl, schema, entities: [], entries, logger });
  const sweepAt = async (now: number) => {
    const tasks = expireChanges('terms', { form: 'standard', now: () => new Date(now) });
    await createSweeper({ database: own, tasks, logger }).sweep();
  };
  await sweepAt(Date.now() + 71 * hour);
  expect((await second().approvals.get.query({ id: approvalId })).id).toBe(approvalId);
  await sweepAt(Date.now() + 73 * hour);
  await isRefused(approvalId, 'REQUEST_NOT_FOUND');
  const { items } = await second().audit.list.query({ service: 'terms', action: 'approvals.expire' });
  expect(items).toMatchObject([
    {
      actor: 'service:terms',
      target: `approval:${approvalId.split('.')[1]}`,
      details: { procedure: 'terms.activate', proposedBy: 'operator:admin@rubrica.test' },
    },
  ]);
});
