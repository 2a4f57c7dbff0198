import { disposeAfterAll } from '@rubrica/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { nobody, operator } from './support/callers.ts';
import { runningTerms } from './support/running-terms.ts';

const terms = await disposeAfterAll(runningTerms());

beforeEach(() => terms.database.query('truncate terms.terms_version cascade'));

const seed = {
  id: '0199aa00-0000-7000-8000-000000000001',
  type: 'TRADITIONAL_SIGNATURE' as const,
  version: '1.0',
  content: 'TÉRMINOS Y CONDICIONES',
  active: true,
};
const seedOf = (...rows: object[]) => ({ terms: rows, partners: [], operators: [] });
const all = async () => (await terms.operatorClient(operator('viewer')).terms.list.query({})).items;

describe('provisioning', () => {
  it('inserts the terms of the seed file', async () => {
    await terms.provision(seedOf(seed));
    const found = await terms.serviceClient(nobody).terms.active.query({ type: seed.type });
    expect(found).toEqual({ ...seed, createdDate: expect.any(String) });
    const audited = await terms.database.query(
      `select actor, action, target from terms.audit where action <> 'audit.start' order by id`,
    );
    const row = { actor: 'service:terms-provision', target: `terms:${seed.id}` };
    expect(audited).toEqual([
      { ...row, action: 'terms.createVersion' },
      { ...row, action: 'terms.activate' },
    ]);
  });

  it('again changes nothing, also when the file has a new text', async () => {
    await terms.provision(seedOf(seed));
    await terms.provision(seedOf({ ...seed, content: 'other' }));
    expect(await all()).toEqual([expect.objectContaining({ content: seed.content })]);
  });

  it('does not undo what operators have activated since', async () => {
    await terms.provision(seedOf(seed));
    const admin = terms.operatorClient(operator('admin')).terms;
    const { id } = await admin.createVersion.mutate({ type: seed.type, version: '2.0', content: 'two' });
    await terms.activate(id);
    const other = { ...seed, id: '0199aa00-0000-7000-8000-000000000002', version: '3.0' };
    await terms.provision(seedOf(seed, other));
    expect((await all()).filter(({ active }) => active).map((row) => row.id)).toEqual([id]);
  });

  it('leaves out a seed whose label an operator has used', async () => {
    const admin = terms.operatorClient(operator('admin')).terms;
    await admin.createVersion.mutate({ type: seed.type, version: seed.version, content: 'mine' });
    await terms.provision(seedOf(seed));
    expect((await all()).map(({ content }) => content)).toEqual(['mine']);
  });

  it('says which types nobody can claim for want of terms, and nothing where none is missing', async () => {
    const missing = async (...rows: object[]) => {
      const lines = (await terms.provision(seedOf(...rows))).split('\n').filter((line) => line !== '');
      const warned = lines.map((line) => JSON.parse(line)).filter(({ code }) => code === 'NO_ACTIVE_TERMS');
      return warned.map(({ reason }) => reason);
    };
    expect(await missing()).toEqual(['TRADITIONAL_SIGNATURE, TRANSACTIONAL_SIGNATURE']);
    expect(await missing(seed)).toEqual(['TRANSACTIONAL_SIGNATURE']);
    const other = {
      ...seed,
      id: '0199aa00-0000-7000-8000-000000000003',
      type: 'TRANSACTIONAL_SIGNATURE' as const,
    };
    expect(await missing({ ...other, active: false })).toEqual(['TRANSACTIONAL_SIGNATURE']);
    await terms.activate(other.id);
    expect(await missing()).toEqual([]);
  });

  it('by two releases at once inserts once', async () => {
    const file = seedOf(seed);
    await Promise.all([terms.provision(file), terms.provision(file)]);
    expect(await all()).toHaveLength(1);
  });

  it('fails loudly on a file that says something else than it should', async () => {
    await expect(terms.provision(seedOf({ ...seed, type: 'OTHER' }))).rejects.toThrow();
    expect(await all()).toEqual([]);
  });
});
