import type * as apiFlowContract from '@rubrica/contracts/services/schemas/api-flow';
import type { Status } from '@rubrica/contracts/shared/enumerations';
import { statement } from '@rubrica/database/statement';
import { KeyringError } from '@rubrica/process/keyring';
import type { UseCase } from '@rubrica/wiring';
import { requestNotFound } from '../../base/errors.ts';
import type { RequestsDeps } from '../deps.ts';
import { type LivenessSession, LivenessSessionEntity } from './liveness-session.entity.ts';

type LivenessPageDeps = Pick<RequestsDeps, 'database' | 'clock' | 'liveness' | 'keyring'>;
type Page = apiFlowContract.LivenessPage;
type LivenessPage = UseCase<'intake', 'signature.livenessPage'>;
type CompleteLiveness = UseCase<'intake', 'signature.completeLiveness'>;

interface SessionKey {
  readonly sessionId: string;
}

interface SessionRow extends Pick<LivenessSession, 'status'> {
  readonly doneAt: string | null;
  readonly expiresAt: string;
  readonly requestStatus: Status;
  readonly partnerName: string;
}

const findSession = statement<SessionKey, SessionRow>({
  name: 'liveness-page',
  sql: `
select liveness_session.status, done_at as "doneAt", liveness_session.expires_at as "expiresAt",
  request.status as "requestStatus", partner.name as "partnerName"
from liveness_session join request on request.id = request_id join partner on partner.id = partner_id
where session_id = :sessionId`,
});

function determineState(session: SessionRow, now: Date): apiFlowContract.LivenessPageState {
  const { status, doneAt, requestStatus, expiresAt } = session;
  if (doneAt !== null || status === 'SUCCEEDED' || status === 'FAILED') return 'DONE';
  const isOpen = status === null && requestStatus === 'VALIDATING' && now < new Date(expiresAt);
  return isOpen ? 'READY' : 'EXPIRED';
}

/**
 * Finds what the page behind a session's address shows. Anyone who has the address may see it, so it names no
 * applicant.
 * @throws AppError REQUEST_NOT_FOUND, also for sessions whose page is the provider's
 */
async function findPage(
  { database, clock, liveness }: LivenessPageDeps,
  { sessionId }: SessionKey,
): Promise<Page> {
  if (!liveness.hasOurPage) throw requestNotFound();
  const [session] = await findSession.run(database, { sessionId });
  if (!session) throw requestNotFound();
  const { partnerName } = session;
  const expiresAt = new Date(session.expiresAt).toISOString();
  return { state: determineState(session, clock()), partnerName, expiresAt };
}

export function createLivenessPage(deps: LivenessPageDeps): LivenessPage {
  return async ({ sealedSession }, { peer }) => findPage(deps, await openSession(sealedSession, peer, deps));
}

async function openSession(
  sealed: string,
  owner: string,
  { keyring }: LivenessPageDeps,
): Promise<SessionKey> {
  try {
    return { sessionId: await keyring.openText(sealed, { purpose: 'liveness-page', owner }) };
  } catch (cause) {
    if (cause instanceof KeyringError) throw requestNotFound();
    throw cause;
  }
}

/** Records that the applicant is done: the page says so afterwards. The outcome is left to the check. */
export function createCompleteLiveness(deps: LivenessPageDeps): CompleteLiveness {
  return async ({ sealedSession }, { peer }) => {
    const session = await openSession(sealedSession, peer, deps);
    const page = await findPage(deps, session);
    if (page.state !== 'READY') return page;
    const now = deps.clock();
    // Kept from the first time on.
    const isOpen = { ...session, doneAt: null, status: null, expiresAt: { $gt: now } };
    await deps.database.fork().nativeUpdate(LivenessSessionEntity, isOpen, { doneAt: now });
    return findPage(deps, session);
  };
}
