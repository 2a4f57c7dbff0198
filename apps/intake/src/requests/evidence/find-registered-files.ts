import type { RequestsDeps } from '../deps.ts';
import { notAuthentic } from '../request/registered/registered-data.ts';
import { type FoundFiles, findRequestFiles } from './evidence-file.ts';

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
