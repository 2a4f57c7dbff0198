import type * as evidenceContract from '@rubrica/contracts/services/schemas/evidence';
import type { Database } from '@rubrica/database/connection';
import { statement } from '@rubrica/database/statement';
import type { RequestsDeps } from '../deps.ts';
import type { Row } from '../request/one-statement.ts';
import { digestEvidence, type EvidenceOutline, outlinesSql } from '../request/registered/evidence-outline.ts';
import { notAuthentic } from '../request/registered/registered-data.ts';

/** File of a request as it is stored: encrypted bytes in its row or in the evidence store, never both. */
export interface EvidenceFile {
  readonly id: string;
  readonly position: number;
  /** Field in which it came; null for an item of the list `evidences`. */
  readonly field: string | null;
  /** Size of the file itself, in bytes. */
  readonly size: number;
  /** SHA-256 of the file itself, hex. */
  readonly sha256: string;
  /** AES-256-GCM: nonce first, tag last. */
  readonly content: Buffer | null;
  readonly object: evidenceContract.EvidenceEntry | null;
  /** Own AES-256 key, sealed to intake, of a file that was sent after the others. */
  readonly ownKey?: string | null;
}

export interface RequestFiles {
  /** AES-256 key of all files without one of their own, sealed to intake. */
  readonly sealedKey: string;
  /** Files in the order in which they were sent. */
  readonly files: readonly EvidenceFile[];
}

/** Files with the registered outlines of all evidence of their request. */
export interface FoundFiles extends RequestFiles {
  readonly outlines: readonly EvidenceOutline[];
  readonly evidenceSha256: string | null;
}

type StoredFile = EvidenceFile & {
  readonly sealedKey: string;
  readonly outlines: readonly EvidenceOutline[];
};

/** Columns of `EvidenceFile`, from the table `evidence`. */
export const fileColumns = `evidence.id, evidence.position, evidence.field, evidence.size,
  evidence.sha256, evidence.content, evidence.object, evidence.key as "ownKey"`;

const find = statement<{ readonly requestId: string }, StoredFile>({
  name: 'request-files',
  groupCommit: true,
  sql: `
select request.evidence_key as "sealedKey", ${fileColumns},
  case when row_number() over (order by evidence.position) = 1 then ${outlinesSql('request.id')} end as outlines
from evidence join request on request.id = evidence.request_id
where evidence.request_id = :requestId and evidence.sha256 is not null and request.evidence_key is not null
order by evidence.position`,
});

/**
 * Finds the files of one request that can be opened with `createOpenEvidence`. The caller has checked whose
 * request it is.
 * @returns undefined if it has none, or their key was destroyed
 */
export async function findRequestFiles(
  database: Pick<Database, 'statement'>,
  requestId: string,
): Promise<FoundFiles | undefined> {
  const files = await find.run(database, { requestId });
  const [first] = files;
  if (first === undefined) return undefined;
  const { sealedKey, outlines } = first;
  return { sealedKey, files, outlines, evidenceSha256: digestEvidence(outlines) };
}

/**
 * Converts the files of a bundle to the form in which `findRequestFiles` returns them once they are stored.
 */
export function toRequestFiles({ key, items }: evidenceContract.EvidenceBundle): RequestFiles {
  const files = items.flatMap(({ evidenceId: id, field = null, file }, position): EvidenceFile[] => {
    if (file === undefined) return [];
    const { size, sha256, content, object = null } = file;
    return [{ id, position, field, size, sha256, content: content ? toBuffer(content) : null, object }];
  });
  return { sealedKey: key, files };
}

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

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

/** Reference to the files of a request as they were registered. */
export interface RegisteredFiles {
  readonly requestId: string;
  /** Digest of the evidence of the verified request. */
  readonly evidenceSha256: string | null;
}

/**
 * Finds the files of a request that was verified before: nobody may replace them between the two reads.
 * @returns undefined as `findRequestFiles`
 * @throws AppError REQUEST_STATE_NOT_ALLOWED, with an alarm
 */
export async function findRegisteredFiles(
  { database, rows }: Pick<RequestsDeps, 'database' | 'rows'>,
  { requestId, evidenceSha256 }: RegisteredFiles,
): Promise<FoundFiles | undefined> {
  const found = await findRequestFiles(database, requestId);
  if (found === undefined || found.evidenceSha256 === evidenceSha256) return found;
  rows.reportFailed({ table: 'request', id: requestId });
  throw notAuthentic();
}
