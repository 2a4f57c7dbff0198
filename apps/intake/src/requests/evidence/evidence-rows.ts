import type * as evidenceContract from '@rubrica/contracts/services/schemas/evidence';
import type { Row } from '../request/one-statement.ts';

/**
 * Returns the rows of one bundle of evidence. A faulty item keeps its position and states why it was refused.
 */
export function toEvidenceRows(
  requestId: string,
  bundle: evidenceContract.EvidenceBundle | undefined,
): Row[] {
  const errors = new Map(bundle?.errors.map((error) => [error.field, error]));
  return (bundle?.items ?? []).map((item, position) => {
    const error = errors.get(`evidences[${position}].evidenceFile`);
    return {
      id: item.evidenceId,
      request_id: requestId,
      position,
      field: item.field ?? null,
      evidence_type: item.evidenceType ?? null,
      validator_url: item.validatorUrl ?? null,
      media_type: item.file?.mediaType ?? null,
      size: item.file?.size ?? null,
      sha256: item.file?.sha256 ?? null,
      content: item.file?.content ?? null,
      object: item.file?.object === undefined ? null : JSON.stringify(item.file.object),
      error: error?.message ?? null,
      error_text: error?.text === undefined ? null : JSON.stringify(error.text),
    };
  });
}
