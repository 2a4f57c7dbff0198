import { randomBytes } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { recordAudit } from '@rubrica/audit/log';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { OperatorInput } from '@rubrica/contracts/operators/procedures';
import { MINUTE_MS } from '@rubrica/contracts/shared/durations';
import { statement } from '@rubrica/database/statement';
import { AppError } from '@rubrica/process/errors';
import type { OperatorCaller } from '@rubrica/process/trpc';
import type { OperatorUseCase } from '@rubrica/wiring';
import { assertCurrentRole } from '../../access/operators/assert-current-role.ts';
import { requestNotFound, stateNotAllowed } from '../../base/errors.ts';
import { sha256Hex } from '../../base/sha256-hex.ts';
import type { Request } from '../../requests/request/request.entity.ts';
import type { DeskDeps } from '../deps.ts';
import { canSeeApplicant } from './can-see-applicant.ts';
import { readReviewReason, toActor } from './note-review.ts';

type LinkEvidenceDeps = Pick<DeskDeps, 'database' | 'clock' | 'keyring' | 'baseUrl' | 'rows'>;
type LinkEvidence = OperatorUseCase<'reviews.evidence'>;

/** Lifetime of a link: long enough to open it, too short to pass it around. */
const lifetimeMs = 5 * MINUTE_MS;

interface EvidenceRow extends Pick<Request, 'status' | 'validationStatus'> {
  readonly isFile: boolean;
  readonly isErased: boolean;
}

/** Locks the request: a concurrent erasure is over before the file is looked up, or waits. */
const lockRequest = statement<{ readonly requestId: string }>({
  name: 'lock-request-for-evidence-link',
  sql: 'select 1 from request where id = :requestId for share',
});

const find = statement<{ readonly requestId: string; readonly evidenceId: string }, EvidenceRow>({
  name: 'find-linked-evidence',
  sql: `
select status, validation_status as "validationStatus", evidence_key is null as "isErased",
  content is not null or object is not null as "isFile"
from evidence join request on request.id = evidence.request_id
where request.id = :requestId and evidence.id = :evidenceId`,
});

interface EvidenceLink {
  readonly tokenSha256: string;
  readonly requestId: string;
  readonly evidenceId: string;
  readonly operatorId: string;
  /** Null for a token without a session. */
  readonly sessionId: string | null;
  readonly now: Date;
  readonly expiresAt: Date;
  readonly mac: string;
}

const insertLink = statement<EvidenceLink>({
  name: 'insert-evidence-link',
  sql: `
insert into evidence_link (token_sha256, request_id, evidence_id, operator_id, gen, session_id, created_at, expires_at, mac)
select :tokenSha256, :requestId::uuid, :evidenceId::uuid, id, gen, :sessionId::uuid, :now::timestamptz, :expiresAt::timestamptz, :mac
from operator where id = :operatorId`,
});

type LinkInput = OperatorInput<'reviews.evidence'>;

async function assertOpen(
  em: EntityManager,
  { requestId, evidenceId }: LinkInput,
  operator: OperatorCaller,
): Promise<void> {
  const [found] = await find.run(em, { requestId, evidenceId });
  if (!found) throw requestNotFound();
  if (!canSeeApplicant(operator.role, found)) throw stateNotAllowed(found.status);
  if (found.isErased)
    throw new AppError({
      code: 'PAYLOAD_EXPIRED',
      text: createText('operator.evidenceErased'),
    });
  if (!found.isFile)
    throw new AppError({ code: 'EVIDENCE_MISSING', text: createText('operator.evidenceWithoutFile') });
}

/**
 * Creates a link to one file for one operator. The address holds a 256-bit token: it leaves sealed to the
 * gateway, and only its hash is stored.
 * @throws AppError REQUEST_NOT_FOUND, REQUEST_STATE_NOT_ALLOWED, EVIDENCE_MISSING, PAYLOAD_EXPIRED
 */
export function createLinkEvidence(deps: LinkEvidenceDeps): LinkEvidence {
  return async (input, { caller: operator }) => {
    const token = randomBytes(32).toString('base64url');
    const address = new URL(`/review/evidence/${token}`, deps.baseUrl).href;
    const binding = { purpose: 'evidence-link', owner: operator.operatorId } as const;
    const url = await deps.keyring.sealTo('gateway', address, binding);
    const now = deps.clock();
    const expiresAt = new Date(now.getTime() + lifetimeMs);
    const { requestId, evidenceId } = input;
    await deps.database.transaction(async (em) => {
      await assertCurrentRole(em, operator, 'reviewer');
      await lockRequest.run(em, { requestId });
      await assertOpen(em, input, operator);
      const { operatorId, session } = operator;
      const sessionId = session?.id ?? null;
      const tokenSha256 = sha256Hex(token);
      const link = { requestId, evidenceId, operatorId, sessionId, expiresAt };
      const { mac } = deps.rows.protect('evidence_link', { id: tokenSha256, ...link });
      await insertLink.run(em, { ...link, tokenSha256, now, mac });
      await recordAudit(em, {
        actor: toActor(operator),
        action: 'reviews.evidence',
        target: `request:${requestId}`,
        reason: readReviewReason(input),
        details: { evidenceId },
      });
    });
    return { url, expiresAt: expiresAt.toISOString() };
  };
}
