import type { IntakeDeps } from '../context.ts';
import type { LivenessOrder } from '../outside/liveness/liveness.ts';

const selfie = 'identificationSelfie';

const text = `
select request.evidence_key, evidence.key, evidence.id, evidence.position, evidence.size, evidence.sha256,
  evidence.content, evidence.object_name, evidence.media_type
from evidence join request on request.id = evidence.request_id
where evidence.request_id = $1 and evidence.field = '${selfie}'`;

interface Row {
  readonly evidence_key: string;
  readonly key: string | null;
  readonly id: string;
  readonly position: number;
  readonly size: number;
  readonly sha256: string;
  readonly content: Buffer | null;
  readonly object_name: string | null;
  readonly media_type: LivenessOrder['selfie']['mediaType'];
}

/** The selfie that the identity was validated with; the whole of it in memory, for the moment of one call. */
export async function readSelfie(
  { database, openEvidence }: Pick<IntakeDeps, 'database' | 'openEvidence'>,
  requestId: string,
): Promise<LivenessOrder['selfie']> {
  const [row] = await database.statement<Row>({ name: 'selfie', text, params: [requestId] });
  if (!row) throw new Error('a request whose identity was validated has no selfie');
  const { content, object_name: objectName, media_type: mediaType, key: ownKey, evidence_key, ...file } = row;
  const open = await openEvidence({ requestId, sealedKey: evidence_key });
  return { mediaType, content: await open({ ...file, field: selfie, content, objectName, ownKey }) };
}
