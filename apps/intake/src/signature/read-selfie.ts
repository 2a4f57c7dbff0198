import type { Dependencies } from '../dependencies.ts';
import type { LivenessOrder } from '../outside/liveness/liveness.ts';

const selfie = 'identificationSelfie';

const text = `
select request.evidence_key, evidence.key, evidence.id, evidence.position, evidence.size, evidence.sha256,
  evidence.content, evidence.object_name, evidence.media_type
from evidence join request on request.id = evidence.request_id
where evidence.request_id = $1 and evidence.field = '${selfie}'`;

interface Row {
  evidence_key: string;
  key: string | null;
  id: string;
  position: number;
  size: number;
  sha256: string;
  content: Buffer | null;
  object_name: string | null;
  media_type: LivenessOrder['selfie']['mediaType'];
}

/** The selfie that the identity was validated with; the whole of it in memory, for the moment of one call. */
export const readSelfie = async (
  { database, openEvidence }: Pick<Dependencies, 'database' | 'openEvidence'>,
  requestId: string,
): Promise<LivenessOrder['selfie']> => {
  const [row] = await database.statement<Row>({ name: 'selfie', text, params: [requestId] });
  if (!row) throw new Error('a request whose identity was validated has no selfie');
  const { content, object_name: objectName, media_type: mediaType, key: ownKey, evidence_key, ...file } = row;
  const open = await openEvidence(evidence_key);
  return { mediaType, content: await open({ ...file, field: selfie, content, objectName, ownKey }) };
};
