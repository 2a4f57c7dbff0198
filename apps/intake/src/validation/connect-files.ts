import type { EvidenceStores } from '@rubrica/evidence-store';
import type { Keyring, ServiceParts } from '@rubrica/process';
import type { IntakeConfig } from '../config.ts';
import type { IntakeDeps } from '../context.ts';
import { createOpenEvidence } from '../request/evidence/open-evidence.ts';
import { createFileCheckMetrics } from './file-checks/file-check-metrics.ts';
import { createFileChecker } from './file-checks/file-checker.ts';
import { fileLimits } from './file-checks/limits.ts';

const MEBIBYTE = 1024 * 1024;

/** What opens and what checks the files of requests; the processes end with the service. */
export function connectFiles(
  { files }: IntakeConfig,
  {
    stores,
    keyring,
    ...parts
  }: Pick<ServiceParts, 'logger' | 'metrics' | 'runner'> & {
    readonly stores: EvidenceStores;
    readonly keyring: Keyring;
  },
): Pick<IntakeDeps, 'openEvidence' | 'fileChecker'> {
  const fileChecker = createFileChecker({
    limits: fileLimits(files),
    processes: files.checkers,
    timeoutMs: files.timeoutSeconds * 1_000,
    memoryBytes: files.memoryMebibytes * MEBIBYTE,
    logger: parts.logger,
    metrics: createFileCheckMetrics(parts.metrics),
  });
  parts.runner.own('file checker', fileChecker.stop);
  return {
    fileChecker,
    openEvidence: createOpenEvidence({ keyring, stores }),
  };
}
