import type { Bus } from '@rubrica/bus';
import type { EvidenceStores } from '@rubrica/evidence-store';
import type { ServiceParts } from '@rubrica/process/runner';
import type { Peers } from '@rubrica/wiring';
import type { PartnerDeps } from '../access/partners/partner-directory.ts';
import type { BaseDeps } from '../base/deps.ts';
import type { OutsideDeps } from '../outside/connect-outside.ts';
import type { FileSettings } from './file-checks/file-settings.ts';
import type { RequestsHandlerDeps } from './handlers.ts';
import { createIssuerEnd, fetchIssuerEnd } from './registration/issuer-end.ts';
import { createReviewSignals } from './request/review-signals.ts';
import type { RequestRules } from './settings.ts';
import { connectFiles } from './validation/connect-files.ts';
import { createLocalValidationQueue } from './validation/local-validation-queue.ts';
import { createLocalValidationWork } from './validation/validate-request.ts';

interface RequestsConfig {
  readonly baseUrl: string;
  readonly consoleUrl?: string | undefined;
  readonly sandbox: boolean;
  readonly timeZone: string;
  readonly rules: RequestRules;
  readonly files: FileSettings;
}

interface RequestsParts extends BaseDeps, OutsideDeps, PartnerDeps {
  readonly peers: Peers<'intake'>;
  readonly streams: Bus;
  readonly stores: EvidenceStores;
  /** Returns the maximum of concurrent validations. */
  readonly slots: () => number;
}

/** Starts the checker of files and the queue of validations. */
export async function connectRequests(
  config: RequestsConfig,
  { streams, stores, slots, ...shared }: RequestsParts,
  parts: ServiceParts,
): Promise<RequestsHandlerDeps> {
  const { peers, clock, keyring } = shared;
  const { logger } = parts;
  const { baseUrl, consoleUrl = baseUrl, sandbox, timeZone, rules } = config;
  const deps = {
    ...shared,
    ...{ logger, rules, timeZone, baseUrl, consoleUrl, sandbox },
    tokenClock: parts.clock.now,
    issuerEnd: createIssuerEnd({ ask: () => fetchIssuerEnd(peers), clock, logger }),
    reviewSignals: createReviewSignals({ streams, logger }),
    ...(await connectFiles(config, { stores, keyring, ...parts })),
  };
  return {
    ...deps,
    validations: createLocalValidationQueue({ slots, work: createLocalValidationWork(deps) }),
  };
}
