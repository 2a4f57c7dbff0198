import { type StatementTarget, statement } from '@rubrica/database';
import type { Request } from '../../request/request.entity.ts';

/** So much of the former's reference stays: a number fits behind it. */
const keptLength = 140;
const mostRenewals = 10_000;

/** What a renewal of that reference begins with; a letter is never cut in two. */
function renewalPrefix(referenceTransaction: string): string {
  return `${referenceTransaction.slice(0, keptLength).replace(/[\uD800-\uDBFF]$/, '')}-R`;
}

const firstFree = statement<
  { readonly partnerId: string; readonly prefix: string },
  { readonly reference: string }
>({
  name: 'free-renewal-reference',
  sql: `
select :prefix::text || number as reference from generate_series(1, ${mostRenewals}) as number
where not exists (
  select from request where partner_id = :partnerId and reference_transaction = :prefix::text || number
) order by number limit 1`,
});

/** The `referenceTransaction` of a renewal by the subscriber, as it is free now. */
export async function freeReference(
  target: StatementTarget,
  { partnerId, referenceTransaction }: Pick<Request, 'partnerId' | 'referenceTransaction'>,
): Promise<string> {
  const prefix = renewalPrefix(referenceTransaction);
  const [free] = await firstFree.run(target, { partnerId, prefix });
  if (!free) throw new Error('a certificate that has been renewed ten thousand times');
  return free.reference;
}
