import { defineEntity, p } from '@mikro-orm/core';
import { expect, test } from 'vitest';
import { createDatabase, createSealer, type Sealed, sealedSql } from '../src/index.ts';
import { fixture } from './support/fixture.ts';
import { quiet } from './support/quiet.ts';

/** Stands for the keyring: what it makes looks like a compact JWE, and is not secret at all. */
const keyring = {
  sealTo: async (service: string, data: Uint8Array | string) =>
    `eyJhbGciOiJub25lIn0.${Buffer.from(service).toString('base64url')}.aXY.${Buffer.from(data).toString('base64url')}.dGFn`,
  open: async (jwe: string) => Buffer.from(jwe.split('.')[3] ?? '', 'base64url'),
};

test('a sealed column takes what was sealed and refuses plaintext', async () => {
  await using shared = await fixture({
    sql: `${sealedSql} create table secrets (id text primary key, value sealed not null);`,
  });
  const Secret = defineEntity({
    name: 'Secret',
    tableName: 'secrets',
    properties: { id: p.text().primary(), value: p.text().$type<Sealed>() },
  });
  const { appUrl: url, schema } = shared.service;
  await using database = createDatabase({ url, schema, entities: [Secret], logger: quiet });
  const sealer = createSealer({ keyring, service: 'intake' });
  const value = await sealer.seal('contraseña');
  await database.transaction(async (em) => {
    em.create(Secret, { id: 's1', value });
  });
  const stored = await database.fork().findOneOrFail(Secret, { id: 's1' });
  expect(await sealer.openText(stored.value)).toBe('contraseña');
  const plain = database.execute("insert into secrets values ('s2', 'contraseña')");
  await expect(plain).rejects.toThrow('sealed_check');
});
