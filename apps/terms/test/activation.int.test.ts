import { disposeAfterAll } from '@rubrica/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { operator, secondAdministrator } from './support/callers.ts';
import { runningTerms } from './support/running-terms.ts';

const terms = await disposeAfterAll(runningTerms());

beforeEach(() => terms.database.query('truncate terms.terms_version, terms.approval cascade'));

const admin = () => terms.operatorClient(operator('admin')).terms;
const create = async (version: string) =>
  (await admin().createVersion.mutate({ type: 'TRADITIONAL_SIGNATURE', version, content: version })).id;
const activeIds = async () =>
  (await terms.database.query<{ id: string }>('select id from terms.terms_version where active')).map(
    ({ id }) => id,
  );
const activations = () =>
  terms.database.query<{ id: string; replaced: string | null; reason: string | null }>(
    `select version.id, details ->> 'replaced' as replaced, reason
     from terms.audit join terms.terms_version as version on target = 'terms:' || version.id
     where action = 'terms.activate' order by audit.id`,
  );

describe('activation', () => {
  it('ends the version before it in the same step and says so in the audit', async () => {
    const [first, second] = [await create('1.0'), await create('2.0')];
    await terms.activate(first);
    expect(await terms.activate(second, 'new law')).toMatchObject({
      id: second,
      active: true,
    });
    expect(await activeIds()).toEqual([second]);
    expect(await activations()).toEqual([
      { id: first, replaced: null, reason: null },
      { id: second, replaced: first, reason: 'new law' },
    ]);
  });

  it('of an earlier version brings it back', async () => {
    const [first, second] = [await create('1.0'), await create('2.0')];
    for (const id of [first, second, first]) await terms.activate(id);
    expect(await activeIds()).toEqual([first]);
  });

  it('of the active version changes nothing and is not audited', async () => {
    const id = await create('1.0');
    await terms.activate(id);
    expect((await admin().activate.mutate({ id })).active).toBe(true);
    expect(await activations()).toHaveLength(1);
  });

  it('of an id that is not known is refused', async () => {
    const unknown = '0199aa00-0000-7000-8000-00000000cccc';
    await expect(admin().activate.mutate({ id: unknown })).rejects.toMatchObject({
      data: { appCode: 'FIELD_INVALID', details: [expect.objectContaining({ field: 'id' })] },
    });
  });

  it('many times at once happens once: each was proposed in the place of what was active then', async () => {
    await terms.activate(await create('first'));
    const ids = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map(create));
    const proposed = await Promise.all(ids.map((id) => admin().activate.mutate({ id })));
    const { approvals } = terms.operatorClient(secondAdministrator);
    const answers = await Promise.allSettled(
      proposed.map(({ approvalId = '' }) => approvals.approve.mutate({ id: approvalId })),
    );
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const history = await activations();
    expect(history).toHaveLength(2);
    expect(await activeIds()).toEqual([history.at(-1)?.id]);
  });

  it('of the same version, approved many times at once, happens once', async () => {
    const { approvalId: id = '' } = await admin().activate.mutate({ id: await create('1.0') });
    const { approvals } = terms.operatorClient(secondAdministrator);
    await Promise.allSettled(Array.from({ length: 8 }, () => approvals.approve.mutate({ id })));
    expect(await activations()).toHaveLength(1);
  });

  it('is guarded by the database: a second active version of a type cannot be written', async () => {
    const [first, second] = [await create('1.0'), await create('2.0')];
    await terms.activate(first);
    await expect(
      terms.database.query(
        'update terms.terms_version set active = true, activated_at = now() where id = $1',
        [second],
      ),
    ).rejects.toThrow(/terms_version_one_active/);
  });

  it.each([
    ['a text that was kept', 'update terms.terms_version set content = $1'],
    ['a version', 'delete from terms.terms_version where version <> $1'],
    ['the audit', 'update terms.audit set reason = $1'],
    ['an audit row', 'delete from terms.audit where actor <> $1'],
  ])('leaves nobody a way to change or remove %s', async (_what, sql) => {
    await create('1.0');
    await expect(terms.database.query(sql, ['other'])).rejects.toThrow(/are never changed/);
  });
});
