import type { Database } from '@rubrica/database/connection';
import type { Clock } from '@rubrica/process/time';
import { selectCrlShard } from '../../certificate/crl-shard.ts';
import type { StatusLedger } from '../status-ledger.ts';
import { createForgottenLedger, forgottenProfile, unknownPartnerId } from './forgotten-ledger.ts';
import type { ForgottenRequest } from './read-arguments.ts';

/** Authority that signed subscribers' certificates. */
export interface ForgottenIssuer {
  readonly name: string;
  readonly notAfter: Date;
}

export interface RevokeForgottenDeps {
  /** Database with a role that may write the rows. */
  readonly database: Pick<Database, 'transaction'>;
  readonly ledger: StatusLedger;
  readonly issuer: ForgottenIssuer;
  /** Caller of the command, as the audit log names an actor. */
  readonly actor: string;
  readonly newId: () => string;
  readonly clock: Clock;
}

/**
 * Outcome. `revoked`: now. `before`: by this command, earlier. `known`: the database has its certificate. `underWay`:
 * its certificate is being issued now.
 */
export type ForgottenOutcome = 'revoked' | 'before' | 'known' | 'underWay';

/**
 * Creates a row for a certificate of which only the serial number is known, and revokes it: CRL, delta and OCSP need no
 * second source. Row, change of status and audit entry commit together, separately for each serial number.
 */
export function createRevokeForgotten(deps: RevokeForgottenDeps) {
  const { database, ledger, issuer, actor, newId, clock } = deps;
  return (
    serial: string,
    { reason, comment }: Pick<ForgottenRequest, 'reason' | 'comment'>,
  ): Promise<ForgottenOutcome> =>
    database.transaction(async (em) => {
      const forgotten = createForgottenLedger(em);
      const known = await forgotten.known(serial);
      if (known?.profile) return known.profile === forgottenProfile ? 'before' : 'known';
      if (known !== undefined && known.state !== 'ABANDONED') return 'underWay';
      const [id, requestId] = [newId(), newId()];
      const { name, notAfter } = issuer;
      const crlShard = selectCrlShard(Buffer.from(serial, 'hex'), await forgotten.shardsOf(name));
      await forgotten.note({ id, requestId, serial, issuer: name, crlShard, notAfter });
      const statusFields = {
        notAfter,
        revokedAt: wholeSecond(clock()),
        revocationReason: reason,
        heldAt: null,
      };
      const change = {
        record: {
          id,
          requestId,
          partnerId: unknownPartnerId,
          serial,
          issuer: name,
          crlShard,
          ...statusFields,
          statusVersion: 2,
        },
        storedVersion: 1,
        storedMac: null,
        isOwnerProven: false,
        audit: {
          action: 'certificate.revoked',
          actor,
          attempt: 1,
          detail: { reason, forgotten: true, ...(comment && { comment }) },
        },
        answer: undefined,
      };
      if (!(await ledger.record(change, em))) throw new Error(`${serial} was changed meanwhile`);
      return 'revoked';
    });
}

/** Rounds down: CRL and OCSP carry whole seconds. */
function wholeSecond(at: Date): Date {
  return new Date(Math.floor(at.getTime() / 1_000) * 1_000);
}
