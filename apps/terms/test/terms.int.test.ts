import { disposeAfterAll, testPostgres } from '@rubrica/testkit';
import { TRPCClientError } from '@trpc/client';
import { beforeEach, describe, expect, it } from 'vitest';
import { nobody, operator, partner } from './support/callers.ts';
import { runningTerms } from './support/running-terms.ts';

const postgres = await disposeAfterAll(testPostgres());
const terms = await disposeAfterAll(runningTerms({ postgres }));

beforeEach(() => terms.database.query('truncate terms.terms_version cascade'));

const admin = () => terms.operatorClient(operator('admin')).terms;
const audited = () =>
  terms.database.query(
    `select actor, action, target, reason from terms.audit where action <> 'audit.start' order by id`,
  );
const active = () => terms.serviceClient(nobody).terms.active;
const draft = (version: string, overrides: { type?: 'TRANSACTIONAL_SIGNATURE'; content?: string } = {}) => ({
  type: 'TRADITIONAL_SIGNATURE' as const,
  version,
  content: `Text of ${version}`,
  ...overrides,
});
const failureOf = async (call: Promise<unknown>) => {
  const error = await call.then(
    () => undefined,
    (failure: unknown) => failure,
  );
  if (!(error instanceof TRPCClientError)) throw new Error('the call was answered', { cause: error });
  return { appCode: error.data?.appCode, message: error.message, details: error.data?.details };
};

describe('the active terms', () => {
  it('are those that were activated last, whole', async () => {
    const created = await admin().createVersion.mutate(draft('1.0'));
    await terms.activate(created.id);
    expect(await active().query({ type: 'TRADITIONAL_SIGNATURE' })).toEqual({ ...created, active: true });
  });

  it('are shown to a partner and to nobody in particular alike', async () => {
    const { id } = await admin().createVersion.mutate(draft('1.0'));
    await terms.activate(id);
    const seen = await terms.serviceClient(partner).terms.active.query({ type: 'TRADITIONAL_SIGNATURE' });
    expect(seen.id).toBe(id);
  });

  it('of a type that has none are NO_ACTIVE_TERMS, also while it has versions', async () => {
    await admin().createVersion.mutate(draft('1.0'));
    expect(await failureOf(active().query({ type: 'TRADITIONAL_SIGNATURE' }))).toMatchObject({
      appCode: 'NO_ACTIVE_TERMS',
      message: expect.stringContaining('TRADITIONAL_SIGNATURE'),
    });
  });

  it('of one type do not depend on the other', async () => {
    const one = await admin().createVersion.mutate(draft('1.0'));
    const other = await admin().createVersion.mutate(draft('1.0', { type: 'TRANSACTIONAL_SIGNATURE' }));
    await terms.activate(one.id);
    await terms.activate(other.id);
    expect((await active().query({ type: 'TRADITIONAL_SIGNATURE' })).id).toBe(one.id);
    expect((await active().query({ type: 'TRANSACTIONAL_SIGNATURE' })).id).toBe(other.id);
  });
});

describe('a new version', () => {
  it('is kept inactive, and what was active stays so', async () => {
    const first = await admin().createVersion.mutate(draft('1.0'));
    await terms.activate(first.id);
    const second = await admin().createVersion.mutate(draft('2.0'));
    expect(second).toMatchObject({ version: '2.0', content: 'Text of 2.0', active: false });
    expect((await active().query({ type: 'TRADITIONAL_SIGNATURE' })).id).toBe(first.id);
  });

  it('is refused when its label is taken within the type, and then leaves no audit row', async () => {
    await admin().createVersion.mutate(draft('1.0'));
    const before = await audited();
    expect(await failureOf(admin().createVersion.mutate(draft('1.0')))).toMatchObject({
      appCode: 'FIELD_INVALID',
      details: [expect.objectContaining({ field: 'version' })],
    });
    expect(await audited()).toEqual(before);
  });

  it('is refused with a character that nobody can read', async () => {
    const failure = await failureOf(admin().createVersion.mutate(draft('1.0', { content: 'a\u0000b' })));
    expect(failure).toMatchObject({
      appCode: 'FIELD_INVALID',
      details: [expect.objectContaining({ field: 'content' })],
    });
  });

  it('is audited with who and why', async () => {
    const { id } = await admin().createVersion.mutate({ ...draft('1.0'), reason: 'Ley de 2026' });
    expect((await audited()).at(-1)).toMatchObject({
      action: 'terms.createVersion',
      target: `terms:${id}`,
      actor: 'operator:admin@rubrica.test',
      reason: 'Ley de 2026',
    });
  });
});

describe('the operators’ roles', () => {
  it.each(['viewer', 'reviewer'] as const)('let a %s read and not change', async (role) => {
    const { id } = await admin().createVersion.mutate(draft('1.0'));
    const client = terms.operatorClient(operator(role)).terms;
    expect((await client.list.query({})).items).toHaveLength(1);
    expect((await failureOf(client.createVersion.mutate(draft('2.0')))).appCode).toBe('FORBIDDEN');
    expect((await failureOf(client.activate.mutate({ id }))).appCode).toBe('FORBIDDEN');
  });

  it.each([nobody, partner])('do not belong to whoever is no operator: $kind', async (caller) => {
    expect((await failureOf(terms.operatorClient(caller).terms.list.query({}))).appCode).toBe('FORBIDDEN');
  });
});

describe('the list', () => {
  it('gives every version once, newest first, page by page', async () => {
    const created: string[] = [];
    for (const version of ['1', '2', '3', '4', '5']) {
      created.push((await admin().createVersion.mutate(draft(version))).id);
    }
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await admin().list.query({ limit: 2, cursor });
      expect(page.items.length).toBeLessThanOrEqual(2);
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(seen).toEqual(created.toReversed());
  });

  it('gives versions of the same millisecond once each', async () => {
    await terms.database.query(`
      insert into terms.terms_version (id, type, version, content, created_at)
      select gen_random_uuid(), 'TRADITIONAL_SIGNATURE', n::text, 'x', '2026-01-01' from generate_series(1, 7) n`);
    const first = await admin().list.query({ limit: 4 });
    const second = await admin().list.query({ limit: 4, cursor: first.nextCursor ?? '' });
    const labels = [...first.items, ...second.items].map(({ version }) => version);
    expect(labels.sort()).toEqual(['1', '2', '3', '4', '5', '6', '7']);
    expect(second.nextCursor).toBeNull();
  });

  it('can be narrowed to a type', async () => {
    await admin().createVersion.mutate(draft('1.0'));
    await admin().createVersion.mutate(draft('T1', { type: 'TRANSACTIONAL_SIGNATURE' }));
    const { items } = await admin().list.query({ type: 'TRANSACTIONAL_SIGNATURE' });
    expect(items.map(({ version }) => version)).toEqual(['T1']);
  });

  it('refuses a cursor that it never gave', async () => {
    expect(await failureOf(admin().list.query({ cursor: 'made-up' }))).toMatchObject({
      appCode: 'FIELD_INVALID',
      details: [expect.objectContaining({ field: 'cursor' })],
    });
  });
});

describe('the service', () => {
  it('says SERVICE_UNAVAILABLE and is not ready while PostgreSQL is away, and is back with it', async () => {
    await postgres.kill();
    expect((await failureOf(active().query({ type: 'TRADITIONAL_SIGNATURE' }))).appCode).toBe(
      'SERVICE_UNAVAILABLE',
    );
    expect(await terms.health.readiness()).toMatchObject({ ready: false, checks: { database: 'failed' } });
    await postgres.restart();
    await expect.poll(async () => (await terms.health.readiness()).ready).toBe(true);
    expect((await failureOf(active().query({ type: 'TRADITIONAL_SIGNATURE' }))).appCode).toBe(
      'NO_ACTIVE_TERMS',
    );
  });
});
