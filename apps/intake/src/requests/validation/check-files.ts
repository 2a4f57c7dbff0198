import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { RequestsDeps } from '../deps.ts';
import { EvidenceDamaged } from '../evidence/evidence-damaged.ts';
import type { EvidenceFile, RequestFiles } from '../evidence/evidence-file.ts';
import { findRegisteredFiles, type RegisteredFiles } from '../evidence/find-registered-files.ts';
import type { EvidenceDeps, OpenFile } from '../evidence/open-evidence.ts';
import type { FileCheckerDeps } from '../file-checks/file-checker.ts';
import { createPixelBudget, type PixelBudget } from '../file-checks/image/pixel-budget.ts';
import type { Verdict } from '../file-checks/verdict.ts';
import type { FileFinding } from './judge-files.ts';

type Needs = Pick<RequestsDeps, 'database' | 'rows'> & EvidenceDeps & FileCheckerDeps;

const damaged: Verdict = { kind: 'damaged', text: createText('file.damaged') };

interface FilesOfPartner extends RegisteredFiles {
  /** Partners that wait for a checker take turns. */
  readonly partnerId: string;
}

/**
 * Checks the files of a request, one after the other, so that one request takes one checker at a time. Its pictures share
 * a budget of pixels: one that exceeds what is left of it is refused and not decoded.
 * @param known where they are at hand; they are read without it
 * @throws AppError SERVICE_UNAVAILABLE where the object store or the checker is away
 */
export async function checkFiles(
  deps: Needs,
  { requestId, partnerId, evidenceSha256 }: FilesOfPartner,
  known?: RequestFiles,
): Promise<FileFinding[]> {
  const kept = known ?? (await findRegisteredFiles(deps, { requestId, evidenceSha256 }));
  if (kept === undefined) return [];
  const open = await deps.openEvidence({ requestId, sealedKey: kept.sealedKey });
  const findings: FileFinding[] = [];
  const budget = createPixelBudget(deps.fileChecker.maxPixelsPerRequest);
  for (const file of kept.files) {
    const verdict = await checkOne(deps, open, { file, partnerId, budget });
    findings.push({ field: file.field, position: file.position, verdict });
    // The request is refused for this one; others like it would keep the checker from everybody else.
    if (verdict.kind === 'check-failed') break;
  }
  return findings;
}

interface OneFile {
  readonly file: EvidenceFile;
  readonly partnerId: string;
  readonly budget: PixelBudget;
}

async function checkOne(
  { fileChecker }: Needs,
  open: OpenFile,
  { file, partnerId, budget }: OneFile,
): Promise<Verdict> {
  try {
    return await fileChecker.check(() => open(file), { sizeBytes: file.size, owner: partnerId, budget });
  } catch (error) {
    if (error instanceof EvidenceDamaged) return damaged;
    throw error;
  }
}
