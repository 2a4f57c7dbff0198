import type { Database } from '@rubrica/database';
import type { Clock, Keyring, Logger } from '@rubrica/process';
import type { ActiveTerms } from './claim/terms-client.ts';
import type { IntakeConfig } from './config.ts';
import type { Liveness } from './outside/liveness/liveness.ts';
import type { Registries } from './outside/registry/registry.ts';
import type { PartnerDirectory } from './partners/partner-directory.ts';
import type { IssuerEnd } from './registration/issuer-end.ts';
import type { OpenEvidence } from './request/evidence/open-evidence.ts';
import type { GenerationClient } from './request/status/certificate-state.ts';
import type { RetentionPeers } from './retention/retention-peers.ts';
import type { FileChecker } from './validation/file-checks/file-checker.ts';

/** What use cases draw on; each takes only what it names. */
export interface Dependencies {
  readonly database: Database;
  readonly keyring: Keyring;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly rules: IntakeConfig['rules'];
  readonly timeZone: string;
  /** Address of the gateway as people open it. */
  readonly baseUrl: string;
  readonly partners: PartnerDirectory;
  readonly generation: GenerationClient;
  readonly issuerEnd: IssuerEnd;
  readonly activeTerms: ActiveTerms;
  readonly retentionPeers: RetentionPeers;
  readonly registries: Registries;
  readonly liveness: Liveness;
  readonly openEvidence: OpenEvidence;
  readonly fileChecker: FileChecker;
}
