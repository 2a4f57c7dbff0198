import type { Clock } from '@rubrica/process';
import type { BaseDeps } from '../base/deps.ts';
import type { ApprovalRules, SessionSettings, TokenSettings } from './settings.ts';

/** Dependencies that rooms of this wing share. A directory, client or checker is declared by the room that creates it. */
export interface AccessDeps extends BaseDeps {
  /** PostgreSQL's clock, which judges tokens. */
  readonly tokenClock: Clock;
  readonly rules: ApprovalRules;
  readonly timeZone: string;
  /** Address of the gateway as people open it. */
  readonly baseUrl: string;
  /** Address of the operators' console, without a slash at its end. */
  readonly consoleUrl: string;
  /** In the sandbox a password alone opens a full session. */
  readonly sandbox: boolean;
  readonly tokens: TokenSettings;
  readonly operatorSessions: SessionSettings;
}
