import type { EvidenceStores } from '@rubrica/evidence-store';
import type { Logger } from '@rubrica/process/log';
import type { Peers } from '@rubrica/wiring';
import type { ApprovalRules } from '../access/settings.ts';
import type { BaseDeps } from '../base/deps.ts';
import type { FileCheckerDeps } from '../requests/file-checks/file-checker.ts';
import type { ReviewSignalDeps } from '../requests/request/review-signals.ts';
import type { RequestRules } from '../requests/settings.ts';
import type { ReviewRules } from './settings.ts';

/** Dependencies of the rooms of this wing. */
export interface DeskDeps extends BaseDeps, FileCheckerDeps, ReviewSignalDeps {
  readonly logger: Logger;
  readonly rules: ApprovalRules &
    ReviewRules &
    Pick<RequestRules, 'claimWindowDays' | 'errorWindowDays' | 'retention'>;
  readonly timeZone: string;
  /** Public address of the gateway. */
  readonly baseUrl: string;
  readonly sandbox: boolean;
  /** Calls that intake may make. */
  readonly peers: Peers<'intake'>;
  readonly stores: EvidenceStores;
}
