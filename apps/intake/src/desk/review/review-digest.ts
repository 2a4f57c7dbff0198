import type { EntityManager } from '@mikro-orm/postgresql';
import { createFieldText, createText } from '@rubrica/contracts/error-texts/create-text';
import { canonicalValue } from '@rubrica/contracts/shared/canonical-value';
import { statement } from '@rubrica/database/statement';
import { AppError, invalidField } from '@rubrica/process/errors';
import { sha256Hex } from '../../base/sha256-hex.ts';
import { type EvidenceOutline, outlinesSql } from '../../requests/request/registered/evidence-outline.ts';
import { registeredSql, type StoredRegistration } from '../../requests/request/registered/registered-data.ts';
import type { Request } from '../../requests/request/request.entity.ts';
import type { DeskDeps } from '../deps.ts';

/**
 * State of a request on which a reviewer's decision rests. Approvals and comments of colleagues are no part
 * of it.
 */
export interface ReviewState extends Pick<Request, 'observations' | 'reviewReason'> {
  readonly stored: StoredRegistration;
  readonly outlines: readonly EvidenceOutline[];
}

/** SQL columns that read as `ShownReview`. */
const shownColumns = `${registeredSql('request')} as stored, ${outlinesSql('request.id')} as outlines,
  observations, review_reason as "reviewReason"`;

const findShown = statement<{ readonly id: string }, ReviewState>({
  name: 'shown-review',
  sql: `select ${shownColumns} from request where id = :id`,
});

/**
 * Computes SHA-256 over the validation attempt, the registered data, the evidence, the observations and the
 * reason.
 */
export function computeReviewDigest({ stored, outlines, observations, reviewReason }: ReviewState): string {
  // A rotation of keys writes a new MAC over the same data.
  const { data_mac: _, ...registered } = stored;
  return sha256Hex(canonicalValue({ registered, outlines, observations, reviewReason }));
}

/**
 * Refuses a decision on another state than the one that was shown. The caller has locked the request.
 * @throws AppError REVIEW_CHANGED; FIELD_REQUIRED without a digest, if the setting demands one
 */
export async function assertUnchangedReview(
  em: EntityManager,
  { id }: Pick<Request, 'id'>,
  { shownSha256, rules }: { readonly shownSha256: string | undefined } & Pick<DeskDeps, 'rules'>,
): Promise<void> {
  if (shownSha256 === undefined) {
    if (rules.reviewDigests === 'accepted') return;
    throw invalidField('shownSha256', createFieldText('shownSha256', createText('field.required')), {
      code: 'FIELD_REQUIRED',
    });
  }
  const [row] = await findShown.run(em, { id });
  if (row === undefined || computeReviewDigest(row) !== shownSha256)
    throw new AppError({ code: 'REVIEW_CHANGED' });
}
