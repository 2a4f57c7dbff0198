import type { EntityManager } from '@mikro-orm/postgresql';
import { runStatement } from '@rubrica/database/connection';
import { findEntryGuard } from '@rubrica/database/entries';
import type { UseCase } from '@rubrica/wiring';
import { stateNotAllowed } from '../../base/errors.ts';
import { hashLinkToken } from '../../base/hash-link-token.ts';
import { writeGrant } from '../../base/write-grant.ts';
import type { RequestsDeps } from '../deps.ts';
import { applicantActor } from '../request/actors.ts';
import { auditInsert } from '../request/audit-insert.ts';
import { buildStatement } from '../request/one-statement.ts';
import { timelineInsert } from '../request/timeline-note.ts';
import type { FoundClaim, LinkDeps } from './find-claim.ts';
import { type ClaimProof, lockProvenClaim, proveClaim, useUpCodes } from './prove-claim.ts';

type OpenDownload = UseCase<'intake', 'claims.openDownload'>;
type OpenDownloadDeps = Pick<RequestsDeps, 'database' | 'clock' | 'keyring' | 'newId' | 'rules' | 'rows'> &
  LinkDeps;

/**
 * Allows one download and audits it. A code is used up by it: if the answer got lost, a new code is sent. The
 * ticket of the claim is not used up.
 * @throws AppError CLAIM_LINK_INVALID, CLAIM_LINK_EXPIRED, REQUEST_STATE_NOT_ALLOWED, OTP_INVALID,
 *   OTP_EXPIRED, OTP_ATTEMPTS_EXCEEDED
 */
export function createOpenDownload(deps: OpenDownloadDeps): OpenDownload {
  return async ({ sealedToken, sealedCode, sealedRight }, { peer }) => {
    const tokenSha256 = await hashLinkToken(deps, sealedToken, { purpose: 'claim-token', peer });
    const proof = await proveClaim(deps, { sealedCode, sealedRight, tokenSha256, state: 'ISSUED' });
    const opened = proof && (await deps.database.transaction((em) => auditDownload(em, deps, proof)));
    if (opened) return grantDownload(opened, deps);
    throw stateNotAllowed((await deps.links.find(deps.database, tokenSha256, deps.clock())).status);
  };
}

/** @returns undefined if the request has left the state of the proof */
async function auditDownload(
  em: EntityManager,
  deps: OpenDownloadDeps,
  proof: ClaimProof,
): Promise<FoundClaim | undefined> {
  const claim = await lockProvenClaim(em, deps, proof);
  if (claim === undefined) return undefined;
  await useUpCodes(em, proof, claim);
  const { requestId, serialNumber } = claim;
  const audit = {
    actor: applicantActor,
    action: 'claims.download',
    target: `request:${requestId}`,
    details: { serialNumber },
  };
  const change = { sql: 'select id from request where id = :requestId', params: { requestId } };
  const inserts = [
    timelineInsert({ ...claim, trigger: 'download', actor: applicantActor }),
    auditInsert(findEntryGuard(em), audit),
  ];
  await runStatement(em, buildStatement(change, { inserts, messages: [] }));
  return claim;
}

function grantDownload(
  { requestId, partnerId, offersLegacyFile, serialNumber }: FoundClaim,
  deps: OpenDownloadDeps,
) {
  const serial = serialNumber ?? '';
  const occasion = `download:${requestId}`;
  const allowed = offersLegacyFile ? { allowsLegacy: true as const } : {};
  const bundle = { requestId, partnerId, serial, occasion, ...allowed };
  const grant = writeGrant({ purpose: 'release', azp: 'gateway', ...bundle }, deps);
  return { requestId, serialNumber: serial, grant };
}
