import type { Logger } from '@rubrica/process/log';
import type { Clock } from '@rubrica/process/time';
import type { Peers } from '@rubrica/wiring';
import type { PartnerDeps } from '../access/partners/partner-directory.ts';
import type { BaseDeps } from '../base/deps.ts';
import type { OutsideDeps } from '../outside/connect-outside.ts';
import type { RequestRules } from './settings.ts';

/**
 * Dependencies that rooms of this wing share. The room that creates a checker, reader or queue declares it.
 */
export interface RequestsDeps extends BaseDeps, OutsideDeps, PartnerDeps {
  readonly logger: Logger;
  /** Clock of PostgreSQL, by which tokens are judged. */
  readonly tokenClock: Clock;
  readonly rules: RequestRules;
  readonly timeZone: string;
  /** Public address of the gateway. */
  readonly baseUrl: string;
  /** Address of the operators' console, without a trailing slash. */
  readonly consoleUrl: string;
  readonly sandbox: boolean;
  /** Calls that intake may make. */
  readonly peers: Peers<'intake'>;
}
