import type { Database } from '@rubrica/database';

/** A file of a request as it rests: encrypted bytes in its row or in the object store, never both. */
export interface EvidenceFile {
  readonly id: string;
  readonly position: number;
  /** The field it came in; null: one of the list `evidences`. */
  readonly field: string | null;
  /** Of the file itself, bytes. */
  readonly size: number;
  /** Of the file itself, hex. */
  readonly sha256: string;
  /** AES-256-GCM: nonce first, tag last. */
  readonly content: Buffer | null;
  readonly objectName: string | null;
  /** Its own AES-256 key, sealed to intake, where it was sent after the others. */
  readonly ownKey?: string | null;
}

export interface RequestFiles {
  /** The AES-256 key of all that have none of their own, sealed to intake. */
  readonly sealedKey: string;
  /** In the order they were sent. */
  readonly files: readonly EvidenceFile[];
}

const text = `
select request.evidence_key, evidence.id, evidence.position, evidence.field, evidence.size, evidence.sha256, evidence.content,
  evidence.object_name, evidence.key
from evidence join request on request.id = evidence.request_id
where evidence.request_id = $1 and evidence.sha256 is not null and request.evidence_key is not null
order by evidence.position`;

interface Row {
  readonly evidence_key: string;
  readonly id: string;
  readonly position: number;
  readonly field: string | null;
  readonly size: number;
  readonly sha256: string;
  readonly content: Buffer | null;
  readonly object_name: string | null;
  readonly key: string | null;
}

/**
 * The files of one request that can be opened with `createOpenEvidence`. It does not ask whose request it is: the
 * caller has.
 *
 * @returns undefined where it has none, or where their key was destroyed
 */
export async function findRequestFiles(
  database: Pick<Database, 'statement'>,
  requestId: string,
): Promise<RequestFiles | undefined> {
  const rows = await database.statement<Row>({ name: 'request-files', text, params: [requestId] });
  const [first] = rows;
  return (
    first && {
      sealedKey: first.evidence_key,
      files: rows.map(({ id, position, field, size, sha256, content, object_name, key }) => ({
        id,
        position,
        field,
        size,
        sha256,
        content,
        objectName: object_name,
        ownKey: key,
      })),
    }
  );
}
