import { expect, test } from 'vitest';
import { createDatabase } from '../src/connection/index.ts';
import { sealedSql } from '../src/sealed/index.ts';
import { fixture } from './support/fixture.ts';
import { quiet } from './support/quiet.ts';

test('a sealed column takes what looks like a compact JWE and refuses plaintext', async () => {
  await using shared = await fixture({
    sql: `${sealedSql} create table secrets (id text primary key, value sealed not null);`,
  });
  const { appUrl: url, schema } = shared.service;
  await using database = createDatabase({ url, schema, entities: [], logger: quiet });
  const jwe = 'eyJhbGciOiJFQ0RILUVTK0EyNTZLVyJ9.d3JhcHBlZA.aXY.c2VhbGVk.dGFn';
  await database.execute('insert into secrets values ($1, $2)', ['s1', jwe]);
  expect(await database.execute('select value from secrets')).toEqual([{ value: jwe }]);
  const plain = database.execute("insert into secrets values ('s2', 'contraseña')");
  await expect(plain).rejects.toThrow('sealed_check');
});
