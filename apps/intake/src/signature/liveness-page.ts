import type * as apiFlowContract from '@rubrica/contracts/services/schemas/api-flow';
import type { Status } from '@rubrica/contracts/shared/enumerations';
import type { UseCase } from '@rubrica/wiring';
import type { IntakeDeps } from '../context.ts';
import { requestNotFound } from '../errors.ts';

type Needs = Pick<IntakeDeps, 'database' | 'clock' | 'liveness'>;
type Page = apiFlowContract.LivenessPage;
type LivenessPage = UseCase<'intake', 'signature.livenessPage'>;
type CompleteLiveness = UseCase<'intake', 'signature.completeLiveness'>;

interface Session {
  readonly sessionId: string;
}

interface Row {
  readonly status: 'SUCCEEDED' | 'FAILED' | 'EXPIRED' | null;
  readonly done_at: string | null;
  readonly expires_at: string;
  readonly request_status: Status;
  readonly partner_name: string;
}

const columns = `liveness_session.status, done_at, liveness_session.expires_at, request.status as request_status,
  partner.name as partner_name`;
const joined = `join request on request.id = request_id join partner on partner.id = partner_id`;

const find = `select ${columns} from liveness_session ${joined} where session_id = $1`;
/** Kept from the first time on. */
const complete = `
update liveness_session set done_at = $2 where session_id = $1 and done_at is null and status is null
  and expires_at > $2`;

function stateOf(row: Row, now: Date): apiFlowContract.LivenessPageState {
  if (row.done_at !== null || row.status === 'SUCCEEDED' || row.status === 'FAILED') return 'DONE';
  const isOpen = row.status === null && row.request_status === 'VALIDATING' && now < new Date(row.expires_at);
  return isOpen ? 'READY' : 'EXPIRED';
}

/**
 * What the page behind a session's address shows. Whoever has the address may see it, so it names no applicant.
 * @throws AppError REQUEST_NOT_FOUND, also for sessions whose page is the provider's
 */
async function livenessPage({ database, clock, liveness }: Needs, { sessionId }: Session): Promise<Page> {
  if (!liveness.hasOurPage) throw requestNotFound();
  const [row] = await database.statement<Row>({ name: 'liveness-page', text: find, params: [sessionId] });
  if (!row) throw requestNotFound();
  const expiresAt = new Date(row.expires_at).toISOString();
  return { state: stateOf(row, clock()), partnerName: row.partner_name, expiresAt };
}

export function createLivenessPage(deps: Needs): LivenessPage {
  return (session) => livenessPage(deps, session);
}

/** The applicant is done: the page says so from now on. The outcome is for the check to ask. */
export function createCompleteLiveness(deps: Needs): CompleteLiveness {
  return async (session) => {
    const before = await livenessPage(deps, session);
    if (before.state !== 'READY') return before;
    const params = [session.sessionId, deps.clock()];
    await deps.database.statement({ name: 'complete-liveness', text: complete, params });
    return livenessPage(deps, session);
  };
}
