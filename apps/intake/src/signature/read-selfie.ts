import { statement } from '@rubrica/database';
import type { IntakeDeps } from '../context.ts';
import type { LivenessOrder } from '../outside/liveness/liveness.ts';
import type { EvidenceFile } from '../request/evidence/evidence-file.ts';

type Selfie = EvidenceFile & Pick<LivenessOrder['selfie'], 'mediaType'> & { readonly sealedKey: string };

const find = statement<{ readonly requestId: string }, Selfie>({
  name: 'selfie',
  sql: `
select request.evidence_key as "sealedKey", evidence.key as "ownKey", evidence.id, evidence.position, evidence.field,
  evidence.size, evidence.sha256, evidence.content, evidence.object,
  evidence.media_type as "mediaType"
from evidence join request on request.id = evidence.request_id
where evidence.request_id = :requestId and evidence.field = 'identificationSelfie'`,
});

/** The selfie that the identity was validated with; the whole of it in memory, for the moment of one call. */
export async function readSelfie(
  { database, openEvidence }: Pick<IntakeDeps, 'database' | 'openEvidence'>,
  requestId: string,
): Promise<LivenessOrder['selfie']> {
  const [file] = await find.run(database, { requestId });
  if (!file) throw new Error('a request whose identity was validated has no selfie');
  const { sealedKey, mediaType } = file;
  const open = await openEvidence({ requestId, sealedKey });
  return { mediaType, content: await open(file) };
}
