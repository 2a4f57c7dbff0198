import { createDatabase } from '@rubrica/database/connection';
import { disposeAfterAll } from '@rubrica/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { schema } from '../src/store/schema.ts';
import { nobody, operator } from './support/callers.ts';
import { runningTerms } from './support/running-terms.ts';

/** An attacker with the rights of the terms service's role in the database and nothing else. */
const terms = await disposeAfterAll(runningTerms());
const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const attacker = await disposeAfterAll(
  createDatabase({ url: terms.ground.service.appUrl, schema, entities: [], logger }),
);

beforeEach(() => terms.database.query('truncate terms.terms_version, terms.approval cascade'));

const type = 'TRADITIONAL_SIGNATURE';
const active = () => terms.serviceClient(nobody).terms.active.query({ type });
const created = async (version: string) =>
  (
    await terms
      .operatorClient(operator('admin'))
      .terms.createVersion.mutate({ type, version, content: version })
  ).id;
async function activated(version: string): Promise<string> {
  const id = await created(version);
  await terms.activate(id);
  return id;
}
const refused = { data: { appCode: 'SERVICE_UNAVAILABLE' } };
const endAll = 'update terms_version set active = false where active returning 1';
const insertion = `insert into terms_version (id, type, version, content, active, created_at, activated_at)
  values (gen_random_uuid(), 'TRADITIONAL_SIGNATURE', '6.6', 'another text', true, now(), now()) returning id`;

describe('terms that the role of the service puts in force', () => {
  it('are not shown where it inserted them', async () => {
    await activated('1.0');
    await attacker.execute(endAll);
    await attacker.execute(insertion);
    await expect(active()).rejects.toMatchObject(refused);
  });

  it('are not shown where it chose another version of the service', async () => {
    await activated('1.0');
    const draft = await created('2.0');
    await attacker.execute(endAll);
    const change = 'update terms_version set active = true, activated_at = now() where id = $1 returning 1';
    expect(await attacker.execute(change, [draft])).toHaveLength(1);
    await expect(active()).rejects.toMatchObject(refused);
  });

  it('are not ended by it alone: that is an alarm, and no type without terms', async () => {
    await expect(active()).rejects.toMatchObject({ data: { appCode: 'NO_ACTIVE_TERMS' } });
    const id = await activated('1.0');
    const row = 'select to_jsonb(terms_version) as row from terms.terms_version where id = $1';
    const [before] = await terms.database.query<{ row: object }>(row, [id]);
    await attacker.execute(endAll);
    await expect(active()).rejects.toMatchObject(refused);
    await attacker.execute('update terms_version set active = true where id = $1', [id]);
    await expect(active()).rejects.toMatchObject(refused);
    // The schema's owner restores the row.
    const restore = `update terms.terms_version set (active, row_version, mac) = (select active, row_version, mac
      from jsonb_populate_record(null::terms.terms_version, $2::jsonb)) where id = $1`;
    await terms.database.query(restore, [id, JSON.stringify(before?.row)]);
    expect(await active()).toMatchObject({ id });
  });

  it('are not put back after others took their place, though they were moved aside meanwhile', async () => {
    const first = await activated('1.0');
    await attacker.execute(endAll);
    await activated('2.0');
    await attacker.execute(endAll);
    await attacker.execute('update terms_version set active = true where id = $1', [first]);
    await expect(active()).rejects.toMatchObject(refused);
  });

  it('have times that a calendar has', async () => {
    const forged = `insert into terms_version (id, type, version, content, created_at)
      values (gen_random_uuid(), 'TRADITIONAL_SIGNATURE', '7.7', 'another text', 'infinity')`;
    await expect(attacker.execute(forged)).rejects.toThrow('terms_version_times');
  });

  it('are neither put back as they were in force', async () => {
    const first = await activated('1.0');
    const [before] = await attacker.execute<{ row_version: number; mac: string }>(
      'select row_version, mac from terms_version where id = $1',
      [first],
    );
    await activated('2.0');
    await attacker.execute(endAll);
    const back = 'update terms_version set active = true, row_version = $2, mac = $3 where id = $1';
    const params = [first, before?.row_version, before?.mac];
    await expect(attacker.execute(back, params)).rejects.toThrow('only move forward');
    const moved = 'update terms_version set id = gen_random_uuid() where id = $1';
    await expect(attacker.execute(moved, [first])).rejects.toThrow('only move forward');
  });

  it('are not activated by administrators, who end them by activating another version', async () => {
    const [inserted] = await attacker.execute<{ id: string }>(insertion);
    await expect(terms.activate(inserted?.id ?? '')).rejects.toMatchObject({
      data: { appCode: 'FORBIDDEN' },
    });
    await activated('2.0');
    expect(await active()).toMatchObject({ version: '2.0', content: '2.0' });
    await expect(terms.activate(inserted?.id ?? '')).rejects.toMatchObject({
      data: { appCode: 'FORBIDDEN' },
    });
  });
});

describe('terms of the release before', () => {
  const unsealed = `update terms.terms_version set mac = ''`;

  it('get their MAC from provisioning', async () => {
    await activated('1.0');
    await terms.database.query(unsealed);
    await terms.database.query('update terms.terms_seal set sealed_at = null');
    await expect(active()).rejects.toMatchObject(refused);
    await terms.provision({ terms: [] });
    expect(await active()).toMatchObject({ version: '1.0' });
  });

  it('get it once: rows without a MAC get none from the next provisioning', async () => {
    await activated('1.0');
    await attacker.execute(endAll);
    await attacker.execute(insertion);
    await terms.provision({ terms: [] });
    await expect(active()).rejects.toMatchObject(refused);
    const again = attacker.execute('update terms_seal set sealed_at = null');
    await expect(again).rejects.toThrow('permission denied');
  });
});
