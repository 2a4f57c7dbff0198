import type { Database } from '@rubrica/database/connection';
import type { RowGuard } from '@rubrica/database/guarded';
import type { Keyring } from '@rubrica/process/keyring';
import type { Clock } from '@rubrica/process/time';
import type { Peers } from '@rubrica/wiring';
import type { ReadSigned } from './certificate/read-signed.ts';
import type { StatusProof } from './certificate/status-proof.ts';
import type { CrlLedger } from './crl/crl-ledger.ts';
import type { Issuers } from './issuers/issuer.ts';
import type { AnswerOcsp } from './ocsp/answer-ocsp.ts';
import type { ChangeStatus } from './revocation/change-status.ts';

/** Dependencies of the use cases; each use case takes only those that it names. */
export interface GenerationDeps {
  readonly database: Database;
  readonly keyring: Keyring;
  /** Guards the status of certificates, and the changes that wait for an approver. */
  readonly rows: RowGuard;
  /** Calls that generation may make. */
  readonly peers: Peers<'generation'>;
  /** Creates a UUID v7. */
  readonly newId: () => string;
  readonly issuers: Issuers;
  readonly clock: Clock;
  readonly changeStatus: ChangeStatus;
  /** Certificate status as row, audit log and certificate prove it. */
  readonly proof: StatusProof;
  /** Subjects and dates as the authorities signed them; operators decide by these. */
  readonly readSigned: ReadSigned;
  readonly answerOcsp: AnswerOcsp;
  readonly crls: Pick<CrlLedger, 'served'>;
  /** Names of the authorities that wait for an answer of the root. */
  readonly pendingAuthorities: () => Promise<readonly string[]>;
  readonly statusMaxAgeSeconds: number;
  /** Returns the address of the CRL of an issuer's shard. */
  readonly crlUriOf: (issuer: string, shard: number) => string;
}
