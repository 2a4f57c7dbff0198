import type { Database, RowGuard } from '@rubrica/database';
import type { Clock, Keyring } from '@rubrica/process';
import type { Peers } from '@rubrica/wiring';
import type { ReadSigned } from './certificate/read-signed.ts';
import type { StatusProof } from './certificate/status-proof.ts';
import type { CrlLedger } from './crl/crl-ledger.ts';
import type { Issuers } from './issuers/issuer.ts';
import type { AnswerOcsp } from './ocsp/answer-ocsp.ts';
import type { ChangeStatus } from './revocation/change-status.ts';

/** What the use cases of this service are given; each takes only what it names. */
export interface GenerationDeps {
  readonly database: Database;
  readonly keyring: Keyring;
  /** Guards the status of certificates, and the changes that wait for a second administrator. */
  readonly rows: RowGuard;
  /** The calls that generation may make. */
  readonly peers: Peers<'generation'>;
  /** A new UUID v7. */
  readonly newId: () => string;
  readonly issuers: Issuers;
  readonly clock: Clock;
  readonly changeStatus: ChangeStatus;
  /** Status of certificates as row, audit log and certificate prove it. */
  readonly proof: StatusProof;
  /** Subjects and dates as the authorities signed them: operators decide by these. */
  readonly readSigned: ReadSigned;
  readonly answerOcsp: AnswerOcsp;
  readonly crls: Pick<CrlLedger, 'served'>;
  /** Authorities that wait for the answer of a ceremony, by name. */
  readonly pendingAuthorities: () => Promise<readonly string[]>;
  readonly statusMaxAgeSeconds: number;
  /** Address of the CRL that speaks of the certificates of an issuer's shard. */
  readonly crlUriOf: (issuer: string, shard: number) => string;
}
