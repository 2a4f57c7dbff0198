import { type StatementTarget, statement } from '@rubrica/database';
import type { Request } from '../../request/request.entity.ts';

/** Length of the former reference that is kept, so that a number fits behind it. */
const keptLength = 140;
const maxRenewals = 10_000;

/** Returns the prefix of renewals of that reference; a surrogate pair is never cut in two. */
function renewalPrefix(referenceTransaction: string): string {
  return `${referenceTransaction.slice(0, keptLength).replace(/[\uD800-\uDBFF]$/, '')}-R`;
}

const firstFree = statement<
  { readonly partnerId: string; readonly prefix: string },
  { readonly reference: string }
>({
  name: 'free-renewal-reference',
  sql: `
select :prefix::text || number as reference from generate_series(1, ${maxRenewals}) as number
where not exists (
  select from request where partner_id = :partnerId and reference_transaction = :prefix::text || number
) order by number limit 1`,
});

/** Finds a free `referenceTransaction` for a renewal by the subscriber. */
export async function findFreeReference(
  target: StatementTarget,
  { partnerId, referenceTransaction }: Pick<Request, 'partnerId' | 'referenceTransaction'>,
): Promise<string> {
  const prefix = renewalPrefix(referenceTransaction);
  const [free] = await firstFree.run(target, { partnerId, prefix });
  if (!free) throw new Error('a certificate that has been renewed ten thousand times');
  return free.reference;
}
