import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { RequestsDeps } from '../deps.ts';
import { EvidenceDamaged } from '../evidence/evidence-damaged.ts';
import type { EvidenceFile, RequestFiles } from '../evidence/evidence-file.ts';
import { findRegisteredFiles, type RegisteredFiles } from '../evidence/evidence-file.ts';
import type { EvidenceDeps, OpenFile } from '../evidence/open-evidence.ts';
import type { FileCheckerDeps } from '../file-checks/file-checker.ts';
import { createPixelBudget, type PixelBudget } from '../file-checks/image/pixel-budget.ts';
import type { Verdict } from '../file-checks/verdict.ts';
import type { FileFinding } from './judge-files.ts';

type CheckFilesDeps = Pick<RequestsDeps, 'database' | 'rows'> & EvidenceDeps & FileCheckerDeps;

const damaged: Verdict = { kind: 'damaged', text: createText('file.damaged') };

interface PartnerFiles extends RegisteredFiles {
  /** Partner of the request; partners that wait for a checker are served in rotation. */
  readonly partnerId: string;
}

/**
 * Checks the files of a request, one after the other, so that one request occupies one checker at a time. Its
 * pictures share a budget of pixels: one that exceeds the rest is refused and not decoded.
 * @param known files that are at hand; without them they are read
 * @throws AppError SERVICE_UNAVAILABLE if the object store or the checker does not answer
 */
export async function checkFiles(
  deps: CheckFilesDeps,
  { requestId, partnerId, evidenceSha256 }: PartnerFiles,
  known?: RequestFiles,
): Promise<FileFinding[]> {
  const files = known ?? (await findRegisteredFiles(deps, { requestId, evidenceSha256 }));
  if (files === undefined) return [];
  const openFile = await deps.openEvidence({ requestId, sealedKey: files.sealedKey });
  const findings: FileFinding[] = [];
  const budget = createPixelBudget(deps.fileChecker.maxPixelsPerRequest);
  for (const file of files.files) {
    const verdict = await checkSingle(deps, openFile, { file, partnerId, budget });
    findings.push({ field: file.field, position: file.position, verdict });
    // The request is refused for this file; similar files would keep the checker from all other requests.
    if (verdict.kind === 'check-failed') break;
  }
  return findings;
}

interface SingleCheck {
  readonly file: EvidenceFile;
  readonly partnerId: string;
  readonly budget: PixelBudget;
}

async function checkSingle(
  { fileChecker }: CheckFilesDeps,
  openFile: OpenFile,
  { file, partnerId, budget }: SingleCheck,
): Promise<Verdict> {
  try {
    return await fileChecker.check(() => openFile(file), { sizeBytes: file.size, owner: partnerId, budget });
  } catch (error) {
    if (error instanceof EvidenceDamaged) return damaged;
    throw error;
  }
}
