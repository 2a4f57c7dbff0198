import { statement } from '@rubrica/database/statement';
import type { RequestsDeps } from '../deps.ts';
import type { CarriedEvidence } from '../registration/insert-registration.ts';
import {
  digestEvidence,
  type EvidenceOutline,
  outlineColumns,
} from '../request/registered/evidence-outline.ts';
import { notAuthentic } from '../request/registered/registered-data.ts';
import type { Request } from '../request/request.entity.ts';

interface StoredEvidence extends EvidenceOutline {
  /** Key of the evidence itself, or of the former request. */
  readonly sealedKey: string | null;
}

const find = statement<{ readonly formerId: string }, StoredEvidence>({
  name: 'evidence-to-carry',
  sql: `
select ${outlineColumns}, coalesce(evidence.key, request.evidence_key) as "sealedKey"
from evidence join request on request.id = evidence.request_id
where evidence.request_id = :formerId and evidence_key is not null order by position`,
});

/**
 * Finds the evidence of a former request, without its bytes.
 * @throws AppError REQUEST_STATE_NOT_ALLOWED, with an alarm, if it is not the registered one
 */
export async function findFormerEvidence(
  { database, rows }: Pick<RequestsDeps, 'database' | 'rows'>,
  former: Pick<Request, 'id' | 'evidenceSha256'>,
): Promise<readonly StoredEvidence[]> {
  const found = await find.run(database, { formerId: former.id });
  const isRegistered =
    digestEvidence(found.map(({ sealedKey: _key, ...outline }) => outline)) === former.evidenceSha256;
  if (isRegistered) return found;
  rows.reportFailed({ table: 'request', id: former.id });
  throw notAuthentic();
}

/**
 * Copies the rows. The bytes stay encrypted as they are: an object of the store is named by both rows, bytes
 * of a row are in both. The rows are locked. If one moved to another object now, the former object would
 * belong to the new row alone, which the sweep does not see yet.
 */
const carry = `
insert into evidence (id, request_id, position, field, key, evidence_type, validator_url, media_type, size, sha256,
  content, object, error)
select carried.id, request.id, carried.position, field, carried.key, evidence_type, validator_url, media_type, size,
  sha256, content, object, error
from request cross join unnest(:carriedIds::uuid[], :carriedFrom::uuid[], :carriedKeys::text[], :carriedPositions::integer[])
  as carried (id, source, key, position)
join evidence on evidence.id = carried.source
for share of evidence`;

/** Extends the locks in the store to the later end of both. */
const extend = `
update evidence_lock set due_at = now(), asked = evidence_lock.asked + 1
from request cross join evidence
where evidence.id = any(:carriedFrom::uuid[]) and evidence_lock.object_id = evidence.object ->> 'id'`;

interface CarryOptions {
  readonly formerId: string;
  readonly requestId: string;
  readonly evidence: readonly StoredEvidence[];
  /** Number of evidence items before them. */
  readonly given: number;
}

/**
 * Plans the rows of the new request for evidence of the former one. Each has its key, sealed anew for the new
 * request, so that the keys of the two requests are independent.
 */
export async function carryEvidence(
  { keyring, newId }: Pick<RequestsDeps, 'keyring' | 'newId'>,
  { formerId, requestId, evidence, given }: CarryOptions,
): Promise<CarriedEvidence | undefined> {
  if (evidence.length === 0) return undefined;
  const resealed = new Map<string, string>();
  for (const { sealedKey } of evidence) {
    if (sealedKey === null || resealed.has(sealedKey)) continue;
    const key = await keyring.open(sealedKey, { purpose: 'evidence-key', owner: formerId });
    resealed.set(
      sealedKey,
      await keyring.sealTo('intake', key, { purpose: 'evidence-key', owner: requestId }),
    );
  }
  const keys = evidence.map(({ sealedKey }) =>
    sealedKey === null ? null : (resealed.get(sealedKey) ?? null),
  );
  const carriedFrom = evidence.map(({ id }) => id);
  const outlines = evidence.map(({ sealedKey: _key, ...outline }, index) => ({
    ...outline,
    id: newId(),
    position: given + index,
  }));
  return {
    outlines,
    key: keys.find((key) => key !== null) ?? null,
    writes: [
      {
        name: 'carried_evidence',
        sql: carry,
        params: {
          carriedIds: outlines.map(({ id }) => id),
          carriedFrom,
          carriedKeys: keys,
          carriedPositions: outlines.map(({ position }) => position),
        },
      },
      { name: 'extended_locks', sql: extend, params: { carriedFrom } },
    ],
  };
}
