import { type StatementTarget, statement } from '../statement/statement.ts';

const isOwner = statement<{ readonly schema: string }, { readonly isOwner: boolean }>({
  name: 'is-schema-owner',
  sql: `select pg_get_userbyid(nspowner) = current_user as "isOwner" from pg_namespace where nspname = :schema`,
});

/** Whether the connection's role owns the schema: what commands ask that only the owner's rights may run. */
export async function isSchemaOwner(target: StatementTarget, schema: string): Promise<boolean> {
  const [known] = await isOwner.run(target, { schema });
  return known?.isOwner === true;
}
