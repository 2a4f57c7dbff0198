import { createDatabase } from '@rubrica/database/connection';
import { createLogger } from '@rubrica/process/log';
import { testGround } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';

const main = new URL('../src/main.ts', import.meta.url);
const provisioned = { main };
const mark = 'select is_sandbox from intake.installation';

describe('the mark of a sandbox', () => {
  it('is written by provisioning, and the role of the service can only read it', async () => {
    await using ground = await testGround('intake', { provisioned });
    const { service } = ground;
    expect(await service.database.query(mark)).toEqual([{ is_sandbox: true }]);
    const logger = createLogger({ service: 'test', level: 'silent', format: 'json' });
    await using sql = createDatabase({ url: service.appUrl, schema: 'intake', entities: [], logger });
    expect(await sql.execute('select is_sandbox from installation')).toEqual([{ is_sandbox: true }]);
    for (const attack of [
      'update installation set is_sandbox = true',
      'delete from installation',
      'insert into installation (one, is_sandbox) values (true, true) on conflict (one) do update set is_sandbox = true',
      'truncate installation',
      'drop table installation',
      'alter table installation drop constraint installation_pkey',
    ])
      await expect(sql.execute(attack), attack).rejects.toMatchObject({ code: '42501' });
  });

  it('stays what it is when provisioning runs again', async () => {
    await using ground = await testGround('intake', { provisioned });
    await ground.provision(main);
    await ground.provision(main, { env: { SANDBOX: 'false' } });
    expect(await ground.service.database.query(mark)).toEqual([{ is_sandbox: true }]);
  });
});

describe('a database of a release that made no marks', () => {
  const former = async () => {
    const ground = await testGround('intake', { provisioned });
    await ground.service.database.query('drop table intake.installation');
    return ground;
  };

  it('is production', async () => {
    await using ground = await former();
    await ground.provision(main, { env: { SANDBOX: 'false' } });
    expect(await ground.service.database.query(mark)).toEqual([{ is_sandbox: false }]);
  });

  it('becomes a sandbox where its address is of this machine alone, as that of the embedded stack', async () => {
    await using ground = await former();
    await ground.provision(main, { env: { BASE_URL: 'http://127.0.0.1:3000' } });
    expect(await ground.service.database.query(mark)).toEqual([{ is_sandbox: true }]);
  });

  it.each(['http://firmas.example.org', ''])(
    'becomes none where others may reach it (%j)',
    async (address) => {
      await using ground = await former();
      await expect(ground.provision(main, { env: { BASE_URL: address } })).rejects.toThrow(
        'SANDBOX=true on a database that was not made as a sandbox',
      );
      expect(await ground.service.database.query(mark)).toEqual([]);
    },
  );
});
