import { createHash } from 'node:crypto';
import type { OperatorInput } from '@rubrica/contracts/operators/procedures';
import { AppError } from '@rubrica/process';
import type { AdministratorChange, Transaction } from '@rubrica/wiring/approvals';
import { certificates, type ProvenCertificate } from '../certificate/certificates.repository.ts';
import {
  aboveAll,
  type CertificateFilters,
  findCertificates,
  type Stretch,
} from '../certificate/find-certificates.ts';
import type { GenerationDeps } from '../context.ts';
import { decide } from './change-status.ts';

type Input = OperatorInput<'certificates.revokeMany'>;
export type RevokeManyDeps = Pick<GenerationDeps, 'changeStatus' | 'clock' | 'proof'>;

/** As many of their serial numbers stand in the proposal; all of them are bound by its digest. */
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
}: RevokeManyDeps): AdministratorChange<'certificates.revokeMany'> {
  /** Locked in the order of their ids, so that no two such calls wait for each other. */
  async function locked(em: Transaction, input: Input): Promise<readonly ProvenCertificate[]> {
    const { count, revocationReason: _why, reason: _comment, ...filters } = input;
    const wanted = { ...filters, status: 'VALID' } as const;
    const ids = await findAll(em, wanted, { most: count + 1, now: clock() });
    if (ids.length !== count)
      throw new AppError({ code: 'REQUEST_STATE_NOT_ALLOWED', publicMessage: countFault(ids.length, count) });
    const found: ProvenCertificate[] = [];
    for (const id of [...ids].sort()) {
      const certificate = await certificates(em, proof).lock({ id });
      if (certificate === null) throw new AppError({ code: 'CERTIFICATE_NOT_FOUND' });
      decide(certificate, { kind: 'revoke', reason: input.revocationReason }, clock());
      found.push(certificate);
    }
    return found;
  }
  return {
    async before(em, input) {
      const found = await locked(em, input);
      const bound = found.map(({ id, statusVersion }) => `${id} ${statusVersion}`).join('\n');
      return {
        certificates: found.length,
        serialNumbers: found.slice(0, shown).map(({ serial }) => serial),
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
  { most, now }: { readonly most: number; readonly now: Date },
): Promise<readonly string[]> {
  const ids: string[] = [];
  let place: Pick<Stretch, 'belowAt' | 'belowId'> | undefined = aboveAll;
  while (place !== undefined && ids.length < most) {
    const { rows, reached } = await findCertificates(em, filters, {
      ...place,
      limit: most - ids.length,
      now,
    });
    ids.push(...rows.map(({ id }) => id));
    place = reached === null ? undefined : { belowAt: new Date(reached.at), belowId: reached.id };
  }
  return ids;
}

function countFault(found: number, count: number): string {
  const now = found > count ? `more than ${count}` : String(found);
  return `The filters find ${now} valid certificates now: look at them and say how many they are`;
}
