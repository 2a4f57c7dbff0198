import type { EntityManager } from '@mikro-orm/postgresql';
import { lockName } from '../lock/row-lock.ts';
import { statement } from '../statement/statement.ts';

interface Alone {
  readonly operatorId: string;
  readonly procedure: string;
}

const note = statement<Alone & { readonly most: number }>({
  name: 'note-alone-change',
  sql: `insert into alone_change (operator_id, procedure, at)
    select :operatorId, :procedure, clock_timestamp()
    where (select count(*) from alone_change where operator_id = :operatorId and procedure = :procedure
      and at > clock_timestamp() - interval '1 hour') < :most::int
    returning 1`,
});

/**
 * Counts one more thing that an administrator does alone, in the transaction that does it. All copies count in the
 * database and by its clock, one after the other.
 * @returns false, with nothing counted, where the hour holds `most` already
 */
export async function mayDoAlone(
  em: EntityManager,
  { most, operatorId, procedure }: Alone & { readonly most: number },
): Promise<boolean> {
  const name = `alone ${procedure} ${operatorId}`;
  await lockName(em, name, { previous: `rubrica ${name}` });
  return (await note.run(em, { operatorId, procedure, most })).length === 1;
}
