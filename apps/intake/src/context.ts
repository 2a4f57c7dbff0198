import type { Database, RowGuard } from '@rubrica/database';
import type { EvidenceStores } from '@rubrica/evidence-store';
import type { Clock, Keyring, Logger } from '@rubrica/process';
import type { Peers } from '@rubrica/wiring';
import type { IdentifyCaller } from './access/callers/identify-caller.ts';
import type { OpenIdClient } from './access/openid/openid-client.ts';
import type { OperatorDirectory } from './access/operators/operator-directory.ts';
import type { VerifyIssuerToken } from './access/partners/issuers/verify-issuer-token.ts';
import type { PartnerDirectory } from './access/partners/partner-directory.ts';
import type { ApiTokenDirectory } from './access/partners/tokens/api-token-directory.ts';
import type { RelyingParty } from './access/passkeys/passkey-settings.ts';
import type { PasswordHashes } from './access/passwords/password-hashes.ts';
import type { SessionDirectory } from './access/sessions/session-directory.ts';
import type { IntakeConfig } from './config.ts';
import type { Liveness } from './outside/liveness/liveness.ts';
import type { Registries } from './outside/registry/registry.ts';
import type { OpenEvidence } from './requests/evidence/open-evidence.ts';
import type { FileChecker } from './requests/file-checks/file-checker.ts';
import type { IssuerEnd } from './requests/registration/issuer-end.ts';
import type { ReviewSignals } from './requests/request/review-signals.ts';
import type { ValidationsInHand } from './requests/validation/validations-in-hand.ts';

/** What the use cases of this service are given; each takes only what it names. */
export interface IntakeDeps {
  readonly database: Database;
  readonly keyring: Keyring;
  /** Of the rows that give rights. */
  readonly rows: RowGuard;
  readonly logger: Logger;
  readonly clock: Clock;
  /** As PostgreSQL has it: tokens are judged by it. */
  readonly tokenClock: Clock;
  /** A new UUID v7. */
  readonly newId: () => string;
  readonly rules: IntakeConfig['rules'];
  readonly timeZone: string;
  /** Address of the gateway as people open it. */
  readonly baseUrl: string;
  /** Of the operators' console, without a slash at its end. */
  readonly consoleUrl: string;
  /** A password alone opens a full session. */
  readonly sandbox: boolean;
  readonly tokens: IntakeConfig['tokens'];
  readonly passwordHashes: PasswordHashes;
  readonly relyingParty: RelyingParty;
  readonly operatorSessions: IntakeConfig['operatorSessions'];
  /** Of partners' own OpenID issuers. */
  readonly verifyIssuerToken: VerifyIssuerToken;
  /** The organisation's OpenID provider; undefined where operators do not sign in there. */
  readonly openId: OpenIdClient | undefined;
  /** The calls that intake may make. */
  readonly peers: Peers<'intake'>;
  readonly partners: PartnerDirectory;
  readonly operators: OperatorDirectory;
  readonly sessions: SessionDirectory;
  readonly apiTokens: ApiTokenDirectory;
  /** Whom calls are made for. */
  readonly callers: IdentifyCaller;
  readonly issuerEnd: IssuerEnd;
  readonly registries: Registries;
  readonly liveness: Liveness;
  /** For operators' pages. */
  readonly reviewSignals: ReviewSignals;
  readonly openEvidence: OpenEvidence;
  readonly stores: EvidenceStores;
  readonly fileChecker: FileChecker;
  /** Of the requests that this copy registers. */
  readonly validations: ValidationsInHand;
}
