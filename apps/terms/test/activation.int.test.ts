import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { operator } from './support/callers.ts';
import { type RunningTerms, runningTerms } from './support/running-terms.ts';

let terms: RunningTerms;

beforeAll(async () => {
  terms = await runningTerms();
});
afterAll(() => terms?.[Symbol.asyncDispose]());
beforeEach(() => terms.database.query('truncate terms.terms_version cascade'));

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
    await admin().activate.mutate({ id: first });
    expect(await admin().activate.mutate({ id: second, reason: 'new law' })).toMatchObject({
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
    for (const id of [first, second, first]) await admin().activate.mutate({ id });
    expect(await activeIds()).toEqual([first]);
  });

  it('of the active version changes nothing and is not audited', async () => {
    const id = await create('1.0');
    await admin().activate.mutate({ id });
    expect((await admin().activate.mutate({ id })).active).toBe(true);
    expect(await activations()).toHaveLength(1);
  });

  it('of an id that is not known is refused', async () => {
    const unknown = '0199aa00-0000-7000-8000-00000000cccc';
    await expect(admin().activate.mutate({ id: unknown })).rejects.toMatchObject({
      data: { appCode: 'FIELD_INVALID', details: [expect.objectContaining({ field: 'id' })] },
    });
  });

  it('many times at once succeeds each time and leaves exactly one active version, the last that was audited', async () => {
    const ids = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map(create));
    const answers = await Promise.all(ids.map((id) => admin().activate.mutate({ id })));
    expect(answers.every(({ active }) => active)).toBe(true);
    const history = await activations();
    expect(history).toHaveLength(ids.length);
    expect(await activeIds()).toHaveLength(1);
    // Each activation replaced a version of its own, so they form one chain that ends at the active one.
    const replaced = history.map((entry) => entry.replaced);
    expect(new Set(replaced).size).toBe(ids.length);
    expect(ids.filter((id) => !replaced.includes(id))).toEqual(await activeIds());
  });

  it('of the same version at once happens once', async () => {
    const id = await create('1.0');
    await Promise.all(Array.from({ length: 8 }, () => admin().activate.mutate({ id })));
    expect(await activations()).toHaveLength(1);
  });

  it('is guarded by the database: a second active version of a type cannot be written', async () => {
    const [first, second] = [await create('1.0'), await create('2.0')];
    await admin().activate.mutate({ id: first });
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
