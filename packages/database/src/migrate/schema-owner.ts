import { type StatementTarget, statement } from '../statement/statement.ts';

const isOwner = statement<{ readonly schema: string }, { readonly isOwner: boolean }>({
  name: 'is-schema-owner',
  sql: `select pg_get_userbyid(nspowner) = current_user as "isOwner" from pg_namespace where nspname = :schema`,
});

/** Tells whether the connection's role owns the schema: for commands that need the owner's rights. */
export async function isSchemaOwner(target: StatementTarget, schema: string): Promise<boolean> {
  const [known] = await isOwner.run(target, { schema });
  return known?.isOwner === true;
}
