import type { BuiltService, ServiceParts } from '@rubrica/process/runner';
import { createCheckerPool } from '../checker/checker-pool.ts';
import { findIsolation } from '../checker/isolation.ts';
import { createFileCheckMetrics } from '../file-check-metrics.ts';
import type { FileCheckerConfig } from '../file-settings.ts';
import { fileLimits } from '../limits.ts';
import { parseCheckerAddress } from './checker-address.ts';
import { serveChecks } from './serve-checks.ts';

const MEBIBYTE = 1024 * 1024;

/**
 * Wires the file checker: a pool of processes behind a socket. It is ready once a first process has answered.
 */
export async function buildFileChecker(
  { files }: FileCheckerConfig,
  { logger, metrics, runner }: ServiceParts,
): Promise<BuiltService> {
  const address = parseCheckerAddress(files.checkerAddress);
  if (address === undefined) throw new Error('an address that the settings let pass cannot be read');
  const isolation = await findIsolation();
  // Containers mostly forbid namespaces, and consist of them.
  logger.info({ reason: isolation }, 'isolation of file checks selected');
  const examiner = createCheckerPool({
    isolation,
    processes: files.checkers,
    timeoutMs: files.timeoutSeconds * 1_000,
    memoryBytes: files.memoryMebibytes * MEBIBYTE,
    logger,
    metrics: createFileCheckMetrics(metrics),
  });
  runner.own('processes', examiner.stop);
  return {
    async start() {
      await examiner.examine(async () => ({ file: Buffer.alloc(0), limits: smallestLimits }));
      const server = await serveChecks({
        examiner,
        address,
        tlsDirectory: files.checkerTlsDirectory,
        logger,
      });
      runner.own('socket', server.stop);
    },
  };
}

const smallestLimits = fileLimits({ maxMegapixels: 1, maxSidePixels: 100, maxPages: 1 });
