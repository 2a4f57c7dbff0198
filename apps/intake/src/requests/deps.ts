import type { Clock, Logger } from '@rubrica/process';
import type { Peers } from '@rubrica/wiring';
import type { PartnerDeps } from '../access/partners/partner-directory.ts';
import type { BaseDeps } from '../base/deps.ts';
import type { OutsideDeps } from '../outside/connect-outside.ts';
import type { RequestRules } from './settings.ts';

/** Dependencies that rooms of this wing share. A checker, reader or queue is declared by the room that creates it. */
export interface RequestsDeps extends BaseDeps, OutsideDeps, PartnerDeps {
  readonly logger: Logger;
  /** PostgreSQL's clock, which judges tokens. */
  readonly tokenClock: Clock;
  readonly rules: RequestRules;
  readonly timeZone: string;
  /** Address of the gateway as people open it. */
  readonly baseUrl: string;
  /** Address of the operators' console, without a slash at its end. */
  readonly consoleUrl: string;
  readonly sandbox: boolean;
  /** Calls that intake may make. */
  readonly peers: Peers<'intake'>;
}
