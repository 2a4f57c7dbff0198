import { createHash } from 'node:crypto';
import type { AdministratorChange, Transaction } from '@rubrica/approvals/administrator-change';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';
import type { OperatorInput } from '@rubrica/contracts/operators/procedures';
import { AppError } from '@rubrica/process/errors';
import { Certificate } from '../certificate/certificate.entity.ts';
import { toOperatorsRow } from '../certificate/certificate-view.ts';
import { certificates, type ProvenCertificate } from '../certificate/certificates.repository.ts';
import {
  type CertificateFilters,
  findCertificates,
  firstPagePosition,
  type PageRange,
} from '../certificate/find-certificates.ts';
import { hasSubjectFilter, matchesSubject, type ReadSigned } from '../certificate/read-signed.ts';
import type { GenerationDeps } from '../context.ts';
import { decideOrThrow } from './change-status.ts';

type Input = OperatorInput<'certificates.revokeMany'>;
export type RevokeManyDeps = Pick<GenerationDeps, 'changeStatus' | 'clock' | 'proof' | 'readSigned'>;

interface Search {
  readonly most: number;
  readonly now: Date;
  readonly readSigned: ReadSigned;
}

/** Number of certificates listed in the proposal; its digest covers all of them. */
const maxListed = 20;

/**
 * Revokes all valid certificates of a search, if their number matches the one that the operator saw. The approval
 * covers exactly the certificates of the proposal: if one was added or removed, the change must be proposed again. OCSP
 * answers are signed at the next request.
 */
export function createRevokeMany({
  changeStatus,
  clock,
  proof,
  readSigned,
}: RevokeManyDeps): AdministratorChange<'certificates.revokeMany', number> {
  /** Locks certificates in the order of their ids, to avoid a deadlock with another such call. */
  async function lockAll(em: Transaction, input: Input): Promise<readonly ProvenCertificate[]> {
    const { count, revocationReason: _why, reason: _comment, ...filters } = input;
    const search = { ...filters, status: 'VALID' } as const;
    const ids = await findAll(em, search, { most: count + 1, now: clock(), readSigned });
    if (ids.length !== count)
      throw new AppError({ code: 'REQUEST_STATE_NOT_ALLOWED', text: createCountText(ids.length, count) });
    const found: ProvenCertificate[] = [];
    for (const id of [...ids].sort()) {
      const certificate = await certificates(em, proof).lock({ id });
      if (certificate === null) throw new AppError({ code: 'CERTIFICATE_NOT_FOUND' });
      decideOrThrow(certificate, { kind: 'revoke', reason: input.revocationReason }, clock());
      found.push(certificate);
    }
    await assertSubjects(em, found, filters);
    return found;
  }
  /** Checks the subject after the lock: before it a row could have had another's serial number and file. */
  async function assertSubjects(
    em: Transaction,
    found: readonly ProvenCertificate[],
    filters: CertificateFilters,
  ) {
    if (!hasSubjectFilter(filters)) return;
    const signed = await readSigned(found, em);
    const matching = found.filter(({ id }) => matchesSubject(signed.get(id), filters)).length;
    if (matching < found.length)
      throw new AppError({
        code: 'REQUEST_STATE_NOT_ALLOWED',
        text: createCountText(matching, found.length),
      });
  }
  return {
    async loadBefore(em, input) {
      const found = await lockAll(em, input);
      const first = found.slice(0, maxListed);
      const signed = await readSigned(first, em);
      const bound = found.map(({ id, statusVersion }) => `${id} ${statusVersion}`).join('\n');
      return {
        certificates: found.length,
        serialNumbers: first.map(({ serial }) => serial),
        subjects: first.map((row) => toOperatorsRow(row, signed.get(row.id), clock()).subject),
        digest: createHash('sha256').update(bound).digest('hex'),
      };
    },
    async make(em, input, operator) {
      const change = { kind: 'revoke', reason: input.revocationReason } as const;
      const request = { change, actor: `operator:${operator.email}`, comment: input.reason };
      const found = await lockAll(em, input);
      for (const certificate of found)
        await changeStatus.inTransaction(em, certificate, { ...request, prepared: undefined });
      return found.length;
    },
    answer(revoked) {
      changeStatus.committed();
      return { revoked };
    },
    loadPresent: async () => ({ revoked: 0 }),
  };
}

/** Scans repeatedly, to the end of the stored rows or until the limit is reached. */
async function findAll(
  em: Transaction,
  filters: CertificateFilters,
  { most, now, readSigned }: Search,
): Promise<readonly string[]> {
  const seen = new Set<string>();
  const ids: string[] = [];
  let position: Position | undefined = firstPagePosition;
  while (position !== undefined && ids.length < most) {
    const limit = most - ids.length;
    const { rows, reached } = await findCertificates(em, filters, { ...position, limit, now });
    // Times of the index can be false: certificates that an earlier scan returned end the search.
    const fresh = rows.map(({ id }) => id).filter((id) => !seen.has(id));
    for (const id of fresh) seen.add(id);
    const matches = await dropFalse(em, filters, { ids: fresh, readSigned });
    ids.push(...matches.ids);
    const below = reached === null ? undefined : { belowAt: new Date(reached.at), belowId: reached.id };
    position = rows.length < limit ? below : matches.last;
  }
  return ids;
}

type Position = Pick<PageRange, 'belowAt' | 'belowId'>;

/** Drops certificates whose signed files do not match the requested subject. */
async function dropFalse(
  em: Transaction,
  filters: CertificateFilters,
  { ids, readSigned }: { readonly ids: readonly string[]; readonly readSigned: ReadSigned },
): Promise<{ readonly ids: readonly string[]; readonly last?: Position }> {
  if (ids.length === 0 || !hasSubjectFilter(filters)) return { ids };
  const newestFirst = { orderBy: { issuedAt: 'desc', id: 'desc' }, disableIdentityMap: true } as const;
  const rows = await em.find(Certificate, { id: [...ids] }, newestFirst);
  const signed = await readSigned(rows, em);
  const last = rows.at(-1);
  return {
    ids: rows.flatMap(({ id }) => (matchesSubject(signed.get(id), filters) ? id : [])),
    ...(last && { last: { belowAt: last.issuedAt, belowId: last.id } }),
  };
}

function createCountText(found: number, count: number): ErrorText {
  return found > count
    ? createText('operator.certificatesMore', { count })
    : createText('operator.certificatesCount', { count: found });
}
