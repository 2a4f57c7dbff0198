import { AppError } from '@rubrica/process';
import type { UseCase } from '@rubrica/wiring';
import type { IntakeDeps } from '../context.ts';

type OpenEvidenceLink = UseCase<'intake', 'reviews.openEvidence'>;

interface Row {
  readonly request_id: string;
  readonly evidence_id: string;
  readonly media_type: string;
  readonly size: number;
  readonly sha256: string;
  readonly content: Buffer | null;
  readonly object_name: string | null;
  readonly evidence_key: string | null;
}

/**
 * The file of a link and the audit row of its opening, one statement: nothing is handed out that is not written down.
 * Who may no longer review opens nothing with the links of before.
 */
const text = `
with opened as (
  select link.request_id, link.evidence_id, operator.email, media_type, size, sha256, content, object_name,
    case when evidence_key is null then null else coalesce(evidence.key, evidence_key) end as evidence_key
  from evidence_link as link join operator on operator.id = link.operator_id
    join request on request.id = link.request_id join evidence on evidence.id = link.evidence_id
  where token_sha256 = $1 and link.expires_at > $2::timestamptz and operator.enabled and operator.role <> 'viewer'
    and ($3::uuid is null or link.operator_id = $3)
), audited as (
  insert into audit (at, actor, action, target, details)
  select $2::timestamptz, 'operator:' || email, 'reviews.openEvidence', 'request:' || request_id,
    jsonb_build_object('evidenceId', evidence_id, 'mediaType', media_type, 'sha256', sha256, 'remoteAddress', $4::text)
  from opened where evidence_key is not null
)
select * from opened`;

/**
 * A mutation, so that nothing on the way repeats or keeps it: each opening is written down.
 * @throws AppError ROUTE_NOT_FOUND, PAYLOAD_EXPIRED
 */
export function createOpenEvidenceLink(
  deps: Pick<IntakeDeps, 'database' | 'clock' | 'keyring'>,
): OpenEvidenceLink {
  return async ({ tokenSha256, operatorId, remoteAddress }) => {
    const params = [tokenSha256, deps.clock(), operatorId ?? null, remoteAddress];
    const [row] = await deps.database.statement<Row>({ name: 'open-evidence-link', text, params });
    if (!row)
      throw new AppError({
        code: 'ROUTE_NOT_FOUND',
        publicMessage: 'This link is not valid, or its time is over; make a new one',
      });
    if (row.evidence_key === null)
      throw new AppError({
        code: 'PAYLOAD_EXPIRED',
        publicMessage: 'The evidence was erased at the end of its retention',
      });
    const { media_type: mediaType, size, sha256, content, object_name: objectName } = row;
    const key = await deps.keyring.open(row.evidence_key, {
      purpose: 'evidence-key',
      owner: row.request_id,
    });
    return {
      requestId: row.request_id,
      evidenceId: row.evidence_id,
      file: {
        mediaType,
        size,
        sha256,
        ...(content === null ? {} : { content: content.toString('base64') }),
        ...(objectName === null ? {} : { objectName }),
      },
      sealedKey: await deps.keyring.sealTo('gateway', key, {
        purpose: 'shown-evidence-key',
        owner: tokenSha256,
      }),
    };
  };
}
