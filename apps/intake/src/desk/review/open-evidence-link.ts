import { recordAudit } from '@rubrica/audit/log';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { EvidenceEntry } from '@rubrica/contracts/services/schemas/evidence';
import { statement } from '@rubrica/database/statement';
import { AppError } from '@rubrica/process/errors';
import type { UseCase } from '@rubrica/wiring';
import { mayReviewSql } from '../../access/operators/assert-current-role.ts';
import { hashLinkToken } from '../../base/hash-link-token.ts';
import type { EvidenceFile } from '../../requests/evidence/evidence-file.ts';
import {
  digestEvidence,
  type EvidenceOutline,
  outlinesSql,
} from '../../requests/request/registered/evidence-outline.ts';
import {
  isAuthentic,
  notAuthentic,
  registeredSql,
  type StoredRegistration,
} from '../../requests/request/registered/registered-data.ts';
import { historySql, type RequestHistory } from '../../requests/request/registered/request-history.ts';
import type { DeskDeps } from '../deps.ts';

type OpenEvidenceLink = UseCase<'intake', 'reviews.openEvidence'>;

interface OpenParams {
  readonly tokenSha256: string;
  readonly now: Date;
  readonly operatorId: string | null;
}

interface LinkedFile extends Pick<EvidenceFile, 'size' | 'sha256' | 'content' | 'object'> {
  readonly requestId: string;
  readonly email: string;
  readonly evidenceId: string;
  readonly mediaType: string;
  readonly evidenceKey: string | null;
  readonly operator: Readonly<Record<string, unknown>>;
  readonly stored: StoredRegistration;
  readonly history: RequestHistory;
  readonly link: Readonly<Record<string, unknown>>;
  readonly outlines: readonly EvidenceOutline[];
}

/**
 * Finds the file of a link. An operator who may no longer review, has signed out or has lost another right
 * since, opens nothing with earlier links.
 */
const openLink = statement<OpenParams, LinkedFile>({
  name: 'open-evidence-link',
  sql: `
with opened as (
  select link.request_id, link.evidence_id, operator.email, to_jsonb(operator) as operator,
    to_jsonb(link) || jsonb_build_object('id', token_sha256, 'version', 1) as link,
    ${registeredSql('request')} as stored, ${historySql('request.id')} as history, ${outlinesSql('request.id')} as outlines, media_type, size, sha256, content, object,
    case when evidence_key is null then null else coalesce(evidence.key, evidence_key) end as evidence_key
  from evidence_link as link join operator on operator.id = link.operator_id
    join request on request.id = link.request_id join evidence on evidence.id = link.evidence_id
  where token_sha256 = :tokenSha256 and link.expires_at > :now::timestamptz
    and ${mayReviewSql} and operator.gen = link.gen
    and (link.session_id is null or exists (
      select from operator_session as session
      where session.id = link.session_id and session.ended_at is null and session.expires_at > :now::timestamptz))
    and (:operatorId::uuid is null or link.operator_id = :operatorId)
)
select request_id as "requestId", email, evidence_id as "evidenceId", media_type as "mediaType", size, sha256, content,
  object, evidence_key as "evidenceKey", operator, stored, history, outlines, link
from opened`,
});

/**
 * Opens a link. It is a mutation, so that no intermediary repeats or stores it: each opening is audited.
 * @throws AppError ROUTE_NOT_FOUND, PAYLOAD_EXPIRED
 */
export function createOpenEvidenceLink(
  deps: Pick<DeskDeps, 'database' | 'clock' | 'keyring' | 'rows' | 'stores'>,
): OpenEvidenceLink {
  return async ({ sealedToken, operatorId = null, remoteAddress }, { peer }) => {
    const tokenSha256 = await hashLinkToken(deps, sealedToken, { purpose: 'evidence-token', peer });
    const params = { tokenSha256, operatorId, now: deps.clock() };
    const [row] = await openLink.run(deps.database, params);
    if (!row || !isOwnLink(row, deps.rows))
      throw new AppError({
        code: 'ROUTE_NOT_FOUND',
        text: createText('operator.evidenceLinkEnded'),
      });
    if (row.evidenceKey === null)
      throw new AppError({
        code: 'PAYLOAD_EXPIRED',
        text: createText('operator.evidenceErased'),
      });
    assertRegistered(row, deps.rows);
    const { mediaType, size, sha256, content, object } = row;
    // Nothing is handed out that is not audited.
    await recordAudit(deps.database, {
      actor: `operator:${row.email}`,
      action: 'reviews.openEvidence',
      target: `request:${row.requestId}`,
      details: { evidenceId: row.evidenceId, mediaType, sha256, remoteAddress },
    });
    const key = await deps.keyring.open(row.evidenceKey, {
      purpose: 'evidence-key',
      owner: row.requestId,
    });
    const address = object === null ? undefined : await buildAddress(deps, object);
    return {
      requestId: row.requestId,
      evidenceId: row.evidenceId,
      file: {
        mediaType,
        size,
        sha256,
        ...(content === null ? {} : { content }),
        ...(object === null ? {} : { object }),
      },
      sealedKey: await deps.keyring.sealTo('gateway', key, {
        purpose: 'shown-evidence-key',
        owner: tokenSha256,
      }),
      ...(address === undefined ? {} : { address }),
    };
  };
}

/** Returns whether this service wrote the operator and the link. */
function isOwnLink({ operator, link }: LinkedFile, rows: DeskDeps['rows']): boolean {
  return rows.isIntact('operator', operator) && rows.isIntact('evidence_link', link);
}

/**
 * Requires that a reviewer sees the registered files, or none.
 * @throws AppError REQUEST_STATE_NOT_ALLOWED, with an alarm
 */
function assertRegistered(
  { requestId, stored, history, outlines }: LinkedFile,
  rows: DeskDeps['rows'],
): void {
  if (!isAuthentic(rows, stored, history)) throw notAuthentic();
  if (stored.evidence_sha256 === digestEvidence(outlines)) return;
  rows.reportFailed({ table: 'request', id: requestId });
  throw notAuthentic();
}

/**
 * Builds the address without asking the store; if its credentials are unavailable now, the gateway may ask
 * again.
 */
async function buildAddress({ stores }: Pick<DeskDeps, 'stores'>, object: EvidenceEntry) {
  try {
    return await stores.addressOf(object);
  } catch (cause) {
    throw new AppError({ code: 'SERVICE_UNAVAILABLE', cause, retryAfterSeconds: 2 });
  }
}
