import { useQuery } from '@tanstack/react-query';
import { callProcedure, type ProcedureInput } from '../../client/trpc.ts';
import { Action } from '../../parts/action.tsx';
import { TextField } from '../../parts/field.tsx';
import { Notice, QueryResult } from '../../parts/query-result.tsx';
import { useTexts } from '../../texts/texts.ts';
import { certificateTexts } from './certificate-texts.ts';
import { RevocationReasonField } from './revocation-reason-field.tsx';

type Filters = Omit<ProcedureInput<'certificates.search'>, 'cursor' | 'limit' | 'status'>;
type Reason = ProcedureInput<'certificates.revokeMany'>['revocationReason'];

/** Maximum per call. */
const maxRevoked = 500;

/** Revokes all valid certificates of the filters, not only those on the page; their number is typed as confirmation. */
export function RevokeFiltered({ filters }: { readonly filters: Filters }) {
  const t = useTexts(certificateTexts);
  return (
    <Action
      procedure="certificates.revokeMany"
      label={t.revokeFound}
      text={t.revokeFoundText}
      tone="danger"
      unavailable={Object.keys(filters).length === 0 ? t.needsFilter : undefined}
      reason="required"
      toInput={(form) => ({
        ...filters,
        count: Number(form.get('count')),
        revocationReason: form.get('revocationReason') as Reason,
        reason: String(form.get('reason')),
      })}
      done={({ revoked }) => t.manyRevoked(revoked)}
    >
      <Confirmation filters={filters} />
      <RevocationReasonField />
    </Action>
  );
}

/** Shows the number, which must be typed again. */
function Confirmation({ filters }: { readonly filters: Filters }) {
  const t = useTexts(certificateTexts);
  const query = useQuery({
    queryKey: ['certificates.search', 'count', filters],
    queryFn: () => countValid(filters),
    staleTime: 0,
  });
  return (
    <QueryResult query={query}>
      {(count) => (
        <>
          <Notice tone="warn">{count > maxRevoked ? t.tooMany(maxRevoked) : t.confirmCount(count)}</Notice>
          <TextField
            label={t.count}
            name="count"
            required
            inputMode="numeric"
            pattern={String(count)}
            title={t.confirmCount(count)}
          />
        </>
      )}
    </QueryResult>
  );
}

/** Counts page by page, up to the maximum of one call. */
async function countValid(filters: Filters): Promise<number> {
  let count = 0;
  let cursor: string | undefined;
  do {
    const page = await callProcedure('certificates.search', {
      ...filters,
      status: 'VALID',
      limit: 100,
      ...(cursor !== undefined && { cursor }),
    });
    count += page.items.length;
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined && count <= maxRevoked);
  return count;
}
