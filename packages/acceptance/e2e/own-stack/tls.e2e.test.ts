import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OwnScene, openScene } from '../support/scene.ts';

let scene: OwnScene;

beforeAll(async () => {
  scene = await openScene({ tls: true });
});
afterAll(() => scene?.[Symbol.asyncDispose]());

describe('a stack with TLS inside', () => {
  it('leads a request from registration to its certificate and its webhook', async () => {
    const { sandbox } = scene.partners;
    const { reference } = await sandbox.accepted();
    await sandbox.hears(reference, 'certificate.issued');
    await scene.assertUntroubled();
  });

  it('has no connection to PostgreSQL that is not encrypted', async () => {
    const client = new Client({ connectionString: scene.stack.info().databaseUrl });
    await client.connect();
    const { rows } = await client.query(
      `select distinct usename, ssl from pg_stat_ssl join pg_stat_activity using (pid)
       where usename like 'rubrica\\_%' order by usename`,
    );
    await client.end();
    const services = ['generation', 'intake', 'notifier', 'terms'];
    expect(rows).toEqual(services.map((name) => ({ usename: `rubrica_${name}`, ssl: true })));
  });
});
