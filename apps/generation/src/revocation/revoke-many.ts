import { createHash } from 'node:crypto';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';
import type { OperatorInput } from '@rubrica/contracts/operators/procedures';
import { AppError } from '@rubrica/process';
import type { AdministratorChange, Transaction } from '@rubrica/wiring/approvals';
import { Certificate } from '../certificate/certificate.entity.ts';
import { toOperatorsRow } from '../certificate/certificate-view.ts';
import { certificates, type ProvenCertificate } from '../certificate/certificates.repository.ts';
import {
  aboveAll,
  type CertificateFilters,
  findCertificates,
  type Stretch,
} from '../certificate/find-certificates.ts';
import { hasSubject, type ReadSigned, seeksSubject } from '../certificate/read-signed.ts';
import type { GenerationDeps } from '../context.ts';
import { decide } from './change-status.ts';

type Input = OperatorInput<'certificates.revokeMany'>;
export type RevokeManyDeps = Pick<GenerationDeps, 'changeStatus' | 'clock' | 'proof' | 'readSigned'>;

interface Search {
  readonly most: number;
  readonly now: Date;
  readonly readSigned: ReadSigned;
}

/** As many of their serial numbers and subjects stand in the proposal; all of them are bound by its digest. */
const shown = 20;

/**
 * Revokes all valid certificates that a search finds, if they are as many as its operator has seen. What is approved are
 * the very certificates of the proposal: where one has come or gone, it is to be proposed anew. OCSP's answers are signed
 * when they are asked for.
 */
export function createRevokeMany({
  changeStatus,
  clock,
  proof,
  readSigned,
}: RevokeManyDeps): AdministratorChange<'certificates.revokeMany'> {
  /** Locked in the order of their ids, so that no two such calls wait for each other. */
  async function locked(em: Transaction, input: Input): Promise<readonly ProvenCertificate[]> {
    const { count, revocationReason: _why, reason: _comment, ...filters } = input;
    const wanted = { ...filters, status: 'VALID' } as const;
    const ids = await findAll(em, wanted, { most: count + 1, now: clock(), readSigned });
    if (ids.length !== count)
      throw new AppError({ code: 'REQUEST_STATE_NOT_ALLOWED', text: createCountText(ids.length, count) });
    const found: ProvenCertificate[] = [];
    for (const id of [...ids].sort()) {
      const certificate = await certificates(em, proof).lock({ id });
      if (certificate === null) throw new AppError({ code: 'CERTIFICATE_NOT_FOUND' });
      decide(certificate, { kind: 'revoke', reason: input.revocationReason }, clock());
      found.push(certificate);
    }
    await assertSought(em, found, filters);
    return found;
  }
  /** Before the lock a row could have had another's serial number and file. */
  async function assertSought(
    em: Transaction,
    found: readonly ProvenCertificate[],
    filters: CertificateFilters,
  ) {
    if (!seeksSubject(filters)) return;
    const signed = await readSigned(found, em);
    const sought = found.filter(({ id }) => hasSubject(signed.get(id), filters)).length;
    if (sought < found.length)
      throw new AppError({
        code: 'REQUEST_STATE_NOT_ALLOWED',
        text: createCountText(sought, found.length),
      });
  }
  return {
    async before(em, input) {
      const found = await locked(em, input);
      const first = found.slice(0, shown);
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
      const wanted = { change, actor: `operator:${operator.email}`, comment: input.reason };
      const found = await locked(em, input);
      for (const certificate of found)
        await changeStatus.inTransaction(em, certificate, { ...wanted, prepared: undefined });
      return () => {
        changeStatus.committed();
        return { revoked: found.length };
      };
    },
    asItIs: async () => ({ revoked: 0 }),
  };
}

/** Look after look, to the end of what is stored or until there are as many. */
async function findAll(
  em: Transaction,
  filters: CertificateFilters,
  { most, now, readSigned }: Search,
): Promise<readonly string[]> {
  const seen = new Set<string>();
  const ids: string[] = [];
  let place: Place | undefined = aboveAll;
  while (place !== undefined && ids.length < most) {
    const limit = most - ids.length;
    const { rows, reached } = await findCertificates(em, filters, { ...place, limit, now });
    // Times of the index can be false: certificates that an earlier look gave end the search.
    const fresh = rows.map(({ id }) => id).filter((id) => !seen.has(id));
    for (const id of fresh) seen.add(id);
    const genuine = await dropFalse(em, filters, { ids: fresh, readSigned });
    ids.push(...genuine.ids);
    const below = reached === null ? undefined : { belowAt: new Date(reached.at), belowId: reached.id };
    place = rows.length < limit ? below : genuine.last;
  }
  return ids;
}

type Place = Pick<Stretch, 'belowAt' | 'belowId'>;

/** Drops those whose signed files have not the subject that is sought. */
async function dropFalse(
  em: Transaction,
  filters: CertificateFilters,
  { ids, readSigned }: { readonly ids: readonly string[]; readonly readSigned: ReadSigned },
): Promise<{ readonly ids: readonly string[]; readonly last?: Place }> {
  if (ids.length === 0 || !seeksSubject(filters)) return { ids };
  const newestFirst = { orderBy: { issuedAt: 'desc', id: 'desc' }, disableIdentityMap: true } as const;
  const rows = await em.find(Certificate, { id: [...ids] }, newestFirst);
  const signed = await readSigned(rows, em);
  const last = rows.at(-1);
  return {
    ids: rows.flatMap(({ id }) => (hasSubject(signed.get(id), filters) ? id : [])),
    ...(last && { last: { belowAt: last.issuedAt, belowId: last.id } }),
  };
}

function createCountText(found: number, count: number): ErrorText {
  return found > count
    ? createText('operator.certificatesMore', { count })
    : createText('operator.certificatesCount', { count: found });
}
