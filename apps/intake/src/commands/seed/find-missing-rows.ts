import type { SqlRunner } from '@rubrica/database/connection';
import { statement } from '@rubrica/database/statement';
import { breakGlassOperator } from '../../access/operators/break-glass-operator.ts';

const count = statement<
  Record<string, never>,
  { readonly partners: boolean; readonly administrators: boolean }
>({
  name: 'missing-rows',
  sql: `
select exists (select from partner where enabled) as partners,
  exists (select from operator where enabled and role = 'admin'
    and id <> '${breakGlassOperator.id}') as administrators`,
});

/** Lists what a deployment still needs before it can serve anyone, for the log of its first start. */
export async function findMissingRows(sql: SqlRunner): Promise<string[]> {
  const [found] = await count.run(sql, {});
  return [
    ...(found?.administrators
      ? []
      : [
          'no administrator: name two in FIRST_ADMINISTRATORS; each opens the account by the link in the e-mail',
        ]),
    ...(found?.partners ? [] : ['no partner: an administrator creates them (partners.create)']),
  ];
}
