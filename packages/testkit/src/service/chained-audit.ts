import { createPrivateKey, sign } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { PrivateJwk } from '@rubrica/process/keyring';
import type { TestService } from '../servers/test-databases.ts';

/** Lists the rights of the running service on its table `audit`, in alphabetical order. */
export async function auditRights({ schema, appRole, database }: TestService): Promise<string[]> {
  const rows = await database.query<{ right: string }>(
    `select r as right from unnest(array['DELETE', 'INSERT', 'SELECT', 'TRIGGER', 'TRUNCATE', 'UPDATE']) as r
     where has_table_privilege($1, $2, r)`,
    [appRole, `${schema}.audit`],
  );
  return rows.map(({ right }) => right);
}

/** Lists the columns of the table `audit` that the running service may set in a new row, in alphabetical order. */
export async function auditColumnsToAdd({ schema, appRole, database }: TestService): Promise<string[]> {
  const rows = await database.query<{ name: string }>(
    `select column_name as name from information_schema.columns
     where table_schema = $2 and table_name = 'audit'
       and has_column_privilege($1, table_schema || '.audit', column_name, 'INSERT') order by 1`,
    [appRole, schema],
  );
  return rows.map(({ name }) => name);
}

/**
 * Tampers with a chain of at least five rows as a database's owner could. It alters the row at position 1, removes the
 * one at position 2, and swaps those at 3 and 4.
 * @returns the findings that a verification must report, as pairs of kind and position
 */
export async function tamperWithAudit({
  schema,
  database,
}: TestService): Promise<(readonly [string, number])[]> {
  await database.query(`do $$ begin
    alter table ${schema}.audit disable trigger all;
    alter table ${schema}.audit drop constraint audit_chain_sequence;
    update ${schema}.audit set actor = 'operator:forged@rubrica.test' where chain_sequence = 1;
    delete from ${schema}.audit where chain_sequence = 2;
    update ${schema}.audit set chain_sequence = 7 - chain_sequence where chain_sequence in (3, 4);
    end $$`);
  return [
    ['altered', 1],
    ['not-authentic', 1],
    ['removed', 2],
    ['moved', 3],
    ['moved', 4],
  ];
}

/** Reads the first private key of that use, as an attacker with a service's KEYS_FILE could. */
export async function keyInFile(keysFile: string, use: PrivateJwk['use']): Promise<PrivateJwk> {
  const { keys } = JSON.parse(await readFile(keysFile, 'utf8')) as { keys: PrivateJwk[] };
  const key = keys.find((one) => one.use === use);
  if (key === undefined) throw new Error(`${keysFile} has no key of use ${use}`);
  return key;
}

export interface ForgedCheckpoint {
  /** Key that signs, of any owner. */
  readonly key: PrivateJwk;
  /** Key that the checkpoint names; default: the one above. */
  readonly kid?: string;
  /** Name of the audit table. */
  readonly table?: string;
}

/** Adds a checkpoint over the current end of the chain, as an attacker with the database and some key could. */
export async function forgeCheckpoint(
  { schema, database }: TestService,
  { key, kid = key.kid, table = 'audit' }: ForgedCheckpoint,
): Promise<{ sequence: number; jws: string }> {
  const [end] = await database.query<{ place: number; hash: Buffer }>(
    `select chain_sequence::int as place, hash from ${schema}.${table}
     where hash is not null order by chain_sequence desc limit 1`,
  );
  if (end === undefined) throw new Error('there is no chain to sign');
  const iat = Math.floor(Date.now() / 1_000);
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const content = { iss: schema, iat, seq: end.place, hash: end.hash.toString('base64url') };
  const signed = `${part({ alg: 'EdDSA', typ: 'rubrica-audit+jwt', kid })}.${part(content)}`;
  const { kty, crv, x, d } = key;
  const secret = createPrivateKey({ key: { kty, crv, x, d }, format: 'jwk' });
  const jws = `${signed}.${sign(null, Buffer.from(signed), secret).toString('base64url')}`;
  // On a slow machine the service has signed this position by now: an attacker with the database overwrites that.
  const checkpoints = `${schema}.audit_checkpoint`;
  await database.query(`do $forge$ begin
    alter table ${checkpoints} disable trigger all;
    delete from ${checkpoints} where sequence = ${end.place};
    insert into ${checkpoints} (sequence, hash, at, kid, jws)
      values (${end.place}, '\\x${end.hash.toString('hex')}', to_timestamp(${iat}), '${kid}', '${jws}');
    alter table ${checkpoints} enable trigger all; end $forge$`);
  return { sequence: end.place, jws };
}
