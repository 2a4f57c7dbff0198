import type * as requestsContract from '@rubrica/contracts/services/schemas/requests';
import type { ErrorDetail } from '@rubrica/contracts/shared/errors';
import { errorDetail } from '@rubrica/process';
import type { z } from 'zod';
import type { RequestsDeps } from '../deps.ts';
import { type Evidence, EvidenceEntity, type Request } from '../request/request.entity.ts';
import { readEvidenceText } from '../request/stored-text.ts';

type Output = z.output<typeof requestsContract.registerOutput>;

/** Rebuilds the first answer: since then the request may have moved on. */
export async function answerRepeat(database: RequestsDeps['database'], stored: Request): Promise<Output> {
  const faulty = { requestId: stored.id, error: { $ne: null } };
  const evidences = await database.fork().find(EvidenceEntity, faulty);
  return {
    requestId: stored.id,
    referenceTransaction: stored.referenceTransaction,
    status: evidences.length > 0 ? ('ERROR' as const) : ('REGISTERED' as const),
    validationStatus: evidences.length > 0 ? ('ERROR' as const) : ('PENDING' as const),
    createdAt: stored.createdAt.toISOString(),
    ...toExpiry(stored.expiresAt),
    errors: evidences.map(evidenceFault),
  };
}

export function toExpiry(at: Date | null) {
  return at === null ? {} : { expiresAt: at.toISOString() };
}

function evidenceFault(evidence: Pick<Evidence, 'position' | 'error' | 'errorText'>): ErrorDetail {
  return errorDetail(
    'EVIDENCE_INVALID',
    `evidences[${evidence.position}].evidenceFile`,
    readEvidenceText(evidence),
  );
}
