import type { TestService } from '../servers/test-databases.ts';

/** What the running service may do with its table `audit` as a whole, in alphabetical order. */
export async function auditRights({ schema, appRole, database }: TestService): Promise<string[]> {
  const rows = await database.query<{ right: string }>(
    `select r as right from unnest(array['DELETE', 'INSERT', 'SELECT', 'TRIGGER', 'TRUNCATE', 'UPDATE']) as r
     where has_table_privilege($1, $2, r)`,
    [appRole, `${schema}.audit`],
  );
  return rows.map(({ right }) => right);
}

/**
 * Does to a chain of at least five rows what a database's owner could: alters the row at place 1, removes the one at
 * place 2, and lets those at 3 and 4 change places.
 * @returns what a verification has to find, as pairs of kind and place
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
    ['removed', 2],
    ['moved', 3],
    ['moved', 4],
  ];
}
