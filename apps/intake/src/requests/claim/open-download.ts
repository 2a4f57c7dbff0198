import { findEntryGuard, runStatement } from '@rubrica/database';
import type { UseCase } from '@rubrica/wiring';
import { stateNotAllowed } from '../../base/errors.ts';
import { hashLinkToken } from '../../base/hash-link-token.ts';
import { writeGrant } from '../../base/write-grant.ts';
import type { RequestsDeps } from '../deps.ts';
import { applicantActor } from '../request/actors.ts';
import { auditInsert } from '../request/audit-insert.ts';
import { buildStatement } from '../request/one-statement.ts';
import { timelineInsert } from '../request/timeline-note.ts';
import type { LinkDeps } from './link-store.ts';
import type { VerifiedClaim } from './try-code.ts';
import { withVerifiedClaim } from './with-verified-claim.ts';

type OpenDownload = UseCase<'intake', 'claims.openDownload'>;
type OpenDownloadDeps = Pick<RequestsDeps, 'database' | 'clock' | 'keyring' | 'newId' | 'rules' | 'rows'> &
  LinkDeps;

async function auditDownload({ em, claim, now }: VerifiedClaim): Promise<void> {
  const { requestId } = claim;
  const audit = {
    actor: applicantActor,
    action: 'claims.download',
    target: `request:${requestId}`,
    details: { serialNumber: claim.serialNumber },
  };
  const change = { sql: 'select id from request where id = :requestId', params: { requestId } };
  const inserts = [
    timelineInsert({ ...claim, trigger: 'download', actor: applicantActor, now }),
    auditInsert(findEntryGuard(em), audit),
  ];
  await runStatement(em, buildStatement(change, { inserts, messages: [] }));
}

/**
 * Allows one download and audits it. A code is used up by it: if the answer got lost, a new code is sent. The
 * ticket of the claim is not used up.
 * @throws AppError CLAIM_LINK_INVALID, CLAIM_LINK_EXPIRED, REQUEST_STATE_NOT_ALLOWED, OTP_INVALID,
 *   OTP_EXPIRED, OTP_ATTEMPTS_EXCEEDED
 */
export function createOpenDownload(deps: OpenDownloadDeps): OpenDownload {
  return async ({ sealedToken, ...proof }, { peer }) => {
    const tokenSha256 = await hashLinkToken(deps, sealedToken, { purpose: 'claim-token', peer });
    const attempt = { ...proof, tokenSha256, state: 'ISSUED' } as const;
    const opened = await withVerifiedClaim(deps, attempt, async (verified) => {
      await auditDownload(verified);
      return verified.claim;
    });
    if (opened) {
      const { requestId, partnerId, offersLegacyFile } = opened.done;
      const serial = opened.done.serialNumber ?? '';
      const occasion = `download:${requestId}`;
      const allowed = offersLegacyFile ? { allowsLegacy: true as const } : {};
      const bundle = { requestId, partnerId, serial, occasion, ...allowed };
      const grant = writeGrant({ purpose: 'release', azp: 'gateway', ...bundle }, deps);
      return { requestId, serialNumber: serial, grant };
    }
    throw stateNotAllowed((await deps.links.find(deps.database, tokenSha256, deps.clock())).status);
  };
}
