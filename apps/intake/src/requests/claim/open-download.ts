import { findEntryGuard, runStatement } from '@rubrica/database';
import type { UseCase } from '@rubrica/wiring';
import { stateNotAllowed } from '../../base/errors.ts';
import { hashOfToken } from '../../base/hash-link-token.ts';
import { writeGrant } from '../../base/write-grant.ts';
import type { RequestsDeps } from '../deps.ts';
import { applicantActor } from '../request/actors.ts';
import { auditInsert } from '../request/audit-insert.ts';
import { oneStatement } from '../request/one-statement.ts';
import { timelineNote } from '../request/timeline-note.ts';
import type { OfLinks } from './link-store.ts';
import type { Unlocked } from './try-code.ts';
import { unlock } from './with-verified-claim.ts';

type OpenDownload = UseCase<'intake', 'claims.openDownload'>;
type OpenDownloadDeps = Pick<RequestsDeps, 'database' | 'clock' | 'keyring' | 'newId' | 'rules' | 'rows'> &
  OfLinks;

async function auditDownload({ em, claim, now }: Unlocked): Promise<void> {
  const { requestId } = claim;
  const audit = {
    actor: applicantActor,
    action: 'claims.download',
    target: `request:${requestId}`,
    details: { serialNumber: claim.serialNumber },
  };
  const change = { sql: 'select id from request where id = :requestId', params: { requestId } };
  const inserts = [
    timelineNote({ ...claim, trigger: 'download', actor: applicantActor, now }),
    auditInsert(findEntryGuard(em), audit),
  ];
  await runStatement(em, oneStatement(change, { inserts, messages: [] }));
}

/**
 * Allows one download and audits it. A code is used up by it: if the answer got lost, a new code is sent. The
 * ticket of the claim is not used up.
 * @throws AppError CLAIM_LINK_INVALID, CLAIM_LINK_EXPIRED, REQUEST_STATE_NOT_ALLOWED, OTP_INVALID,
 *   OTP_EXPIRED, OTP_ATTEMPTS_EXCEEDED
 */
export function createOpenDownload(deps: OpenDownloadDeps): OpenDownload {
  return async ({ sealedToken, ...proof }, { peer }) => {
    const tokenSha256 = await hashOfToken(deps, sealedToken, { purpose: 'claim-token', peer });
    const attempt = { ...proof, tokenSha256, state: 'ISSUED' } as const;
    const opened = await unlock(deps, attempt, async (verified) => {
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
