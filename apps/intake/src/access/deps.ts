import type { Clock } from '@rubrica/process/time';
import type { BaseDeps } from '../base/deps.ts';
import type { ApprovalRules, SessionSettings, TokenSettings } from './settings.ts';

/**
 * Dependencies that rooms of this wing share. The room that creates a directory, client or checker declares it.
 */
export interface AccessDeps extends BaseDeps {
  /** Clock of PostgreSQL, by which tokens are judged. */
  readonly tokenClock: Clock;
  readonly rules: ApprovalRules;
  readonly timeZone: string;
  /** Public address of the gateway. */
  readonly baseUrl: string;
  /** Address of the operators' console, without a trailing slash. */
  readonly consoleUrl: string;
  /** Sandbox mode, in which a password alone opens a full session. */
  readonly sandbox: boolean;
  readonly tokens: TokenSettings;
  readonly operatorSessions: SessionSettings;
}
