import type { LivenessOrder } from '../../outside/liveness/liveness.ts';
import type { RequestsDeps } from '../deps.ts';
import { findRegisteredFiles } from '../evidence/evidence-file.ts';
import type { EvidenceDeps } from '../evidence/open-evidence.ts';
import type { Request } from '../request/request.entity.ts';

type Selfie = LivenessOrder['selfie'];

/**
 * Reads the selfie that the identity was validated with, whole into memory for one call.
 * @throws AppError REQUEST_STATE_NOT_ALLOWED, with an alarm, if it is not the registered one
 */
export async function readSelfie(
  deps: Pick<RequestsDeps, 'database' | 'rows'> & EvidenceDeps,
  { id: requestId, evidenceSha256 }: Pick<Request, 'id' | 'evidenceSha256'>,
): Promise<Selfie> {
  const found = await findRegisteredFiles(deps, { requestId, evidenceSha256 });
  const file = found?.files.find(({ field }) => field === 'identificationSelfie');
  if (found === undefined || file === undefined)
    throw new Error('a request whose identity was validated has no selfie');
  const registered = found.outlines.find(({ id }) => id === file.id);
  const openFile = await deps.openEvidence({ requestId, sealedKey: found.sealedKey });
  return { mediaType: registered?.mediaType as Selfie['mediaType'], content: await openFile(file) };
}
