import type { EvidenceStores } from '@rubrica/evidence-store';
import type { Keyring } from '@rubrica/process/keyring';
import type { ServiceParts } from '@rubrica/process/runner';
import { createOpenEvidence, type EvidenceDeps } from '../evidence/open-evidence.ts';
import { createCheckerPool } from '../file-checks/checker/checker-pool.ts';
import { findIsolation } from '../file-checks/checker/isolation.ts';
import { createFileCheckMetrics, type FileCheckMetrics } from '../file-checks/file-check-metrics.ts';
import { createFileChecker, type Examiner, type FileCheckerDeps } from '../file-checks/file-checker.ts';
import type { FileSettings } from '../file-checks/file-settings.ts';
import { fileLimits } from '../file-checks/limits.ts';
import { parseCheckerAddress } from '../file-checks/remote/checker-address.ts';
import { createRemoteChecker } from '../file-checks/remote/remote-checker.ts';

const MEBIBYTE = 1024 * 1024;

/** Connects what opens and checks the files of requests; processes end with the service. */
export async function connectFiles(
  { files }: { readonly files: FileSettings },
  {
    stores,
    keyring,
    ...parts
  }: Pick<ServiceParts, 'logger' | 'metrics' | 'runner'> & {
    readonly stores: EvidenceStores;
    readonly keyring: Keyring;
  },
): Promise<EvidenceDeps & FileCheckerDeps> {
  const metrics = createFileCheckMetrics(parts.metrics);
  const examiner = await connectExaminer(files, { logger: parts.logger, metrics });
  parts.runner.own('file checker', examiner.stop);
  return {
    fileChecker: createFileChecker({
      examiner,
      limits: fileLimits(files),
      maxPixelsPerRequest: files.maxRequestMegapixels * 1_000_000,
      atOnce: files.checkers,
      metrics,
    }),
    openEvidence: createOpenEvidence({ keyring, stores }),
  };
}

async function connectExaminer(
  files: FileSettings,
  parts: { readonly logger: ServiceParts['logger']; readonly metrics: FileCheckMetrics },
): Promise<Examiner> {
  const timeoutMs = files.timeoutSeconds * 1_000;
  const address = parseCheckerAddress(files.checkerAddress ?? '');
  parts.metrics.setAvailable(true);
  parts.metrics.setIsolated(true);
  if (address !== undefined)
    return createRemoteChecker({ address, tlsDirectory: files.checkerTlsDirectory, timeoutMs, ...parts });
  const isolation = await findIsolation();
  if (isolation === 'none') {
    parts.metrics.setIsolated(false);
    parts.logger.warn({}, 'files are checked without network isolation');
  }
  const memoryBytes = files.memoryMebibytes * MEBIBYTE;
  return createCheckerPool({ isolation, processes: files.checkers, timeoutMs, memoryBytes, ...parts });
}
