import type * as apiFlowContract from '@rubrica/contracts/services/schemas/api-flow';
import type { Status } from '@rubrica/contracts/shared/enumerations';
import { statement } from '@rubrica/database';
import { KeyringError } from '@rubrica/process';
import type { UseCase } from '@rubrica/wiring';
import { requestNotFound } from '../../base/errors.ts';
import type { RequestsDeps } from '../deps.ts';
import { type LivenessSession, LivenessSessionEntity } from './liveness-session.entity.ts';

type Needs = Pick<RequestsDeps, 'database' | 'clock' | 'liveness' | 'keyring'>;
type Page = apiFlowContract.LivenessPage;
type LivenessPage = UseCase<'intake', 'signature.livenessPage'>;
type CompleteLiveness = UseCase<'intake', 'signature.completeLiveness'>;

interface Session {
  readonly sessionId: string;
}

interface ShownSession extends Pick<LivenessSession, 'status'> {
  readonly doneAt: string | null;
  readonly expiresAt: string;
  readonly requestStatus: Status;
  readonly partnerName: string;
}

const find = statement<Session, ShownSession>({
  name: 'liveness-page',
  sql: `
select liveness_session.status, done_at as "doneAt", liveness_session.expires_at as "expiresAt",
  request.status as "requestStatus", partner.name as "partnerName"
from liveness_session join request on request.id = request_id join partner on partner.id = partner_id
where session_id = :sessionId`,
});

function stateOf(session: ShownSession, now: Date): apiFlowContract.LivenessPageState {
  const { status, doneAt, requestStatus, expiresAt } = session;
  if (doneAt !== null || status === 'SUCCEEDED' || status === 'FAILED') return 'DONE';
  const isOpen = status === null && requestStatus === 'VALIDATING' && now < new Date(expiresAt);
  return isOpen ? 'READY' : 'EXPIRED';
}

/**
 * What the page behind a session's address shows. Whoever has the address may see it, so it names no applicant.
 * @throws AppError REQUEST_NOT_FOUND, also for sessions whose page is the provider's
 */
async function livenessPage({ database, clock, liveness }: Needs, { sessionId }: Session): Promise<Page> {
  if (!liveness.hasOurPage) throw requestNotFound();
  const [session] = await find.run(database, { sessionId });
  if (!session) throw requestNotFound();
  const { partnerName } = session;
  const expiresAt = new Date(session.expiresAt).toISOString();
  return { state: stateOf(session, clock()), partnerName, expiresAt };
}

export function createLivenessPage(deps: Needs): LivenessPage {
  return async ({ sealedSession }, { peer }) =>
    livenessPage(deps, await openSession(sealedSession, peer, deps));
}

async function openSession(sealed: string, owner: string, { keyring }: Needs): Promise<Session> {
  try {
    return { sessionId: await keyring.openText(sealed, { purpose: 'liveness-page', owner }) };
  } catch (cause) {
    if (cause instanceof KeyringError) throw requestNotFound();
    throw cause;
  }
}

/** The applicant is done: the page says so from now on. The outcome is for the check to ask. */
export function createCompleteLiveness(deps: Needs): CompleteLiveness {
  return async ({ sealedSession }, { peer }) => {
    const session = await openSession(sealedSession, peer, deps);
    const before = await livenessPage(deps, session);
    if (before.state !== 'READY') return before;
    const now = deps.clock();
    // Kept from the first time on.
    const isOpen = { ...session, doneAt: null, status: null, expiresAt: { $gt: now } };
    await deps.database.fork().nativeUpdate(LivenessSessionEntity, isOpen, { doneAt: now });
    return livenessPage(deps, session);
  };
}
