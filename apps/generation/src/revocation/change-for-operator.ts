import type { AdministratorChange, Transaction } from '@rubrica/approvals/administrator-change';
import type { OperatorInput } from '@rubrica/contracts/operators/procedures';
import { type RevocationReason, revocationReasons } from '@rubrica/contracts/shared/enumerations';
import { AppError } from '@rubrica/process/errors';
import type { OperatorCaller } from '@rubrica/process/trpc';
import { toOperatorsRow } from '../certificate/certificate-view.ts';
import {
  type CertificateName,
  certificates,
  type ProvenCertificate,
} from '../certificate/certificates.repository.ts';
import type { GenerationDeps } from '../context.ts';
import { decideOrThrow, type PreparedChange } from './change-status.ts';
import type { StatusChange } from './decide-change.ts';

export type ChangeForOperatorDeps = Pick<
  GenerationDeps,
  'database' | 'changeStatus' | 'clock' | 'proof' | 'readSigned'
>;

type ChangeInput = CertificateName & { readonly reason?: string | undefined };

/** Creates a change of status. The OCSP answer is signed before the transaction, because the key may be remote. */
function changeForOperator<Input extends ChangeInput>(
  { database, changeStatus, clock, proof, readSigned }: ChangeForOperatorDeps,
  toChange: (input: Input) => StatusChange,
) {
  return {
    prepare: async (input: Input) =>
      changeStatus.prepare(await certificates(database.fork(), proof).named(input), toChange(input)),

    /**
     * Describes the change for approval.
     * @throws AppError where the certificate does not allow the change; it would not be allowed later either
     */
    async loadBefore(em: Transaction, input: Input) {
      const certificate = await lockCertificate(em, input, proof);
      decideOrThrow(certificate, toChange(input), clock());
      const { id, requestId, serial, heldAt, statusVersion: version } = certificate;
      const signed = (await readSigned([certificate], em)).get(id);
      const { subject, notBefore, notAfter } = toOperatorsRow(certificate, signed, clock());
      const view = { id, requestId, serialNumber: serial, subject, notBefore, notAfter };
      return { ...view, heldAt: heldAt?.toISOString() ?? null, version };
    },

    async make(
      em: Transaction,
      input: Input,
      operator: OperatorCaller,
      prepared: PreparedChange | undefined,
    ) {
      const actor = `operator:${operator.email}`;
      const certificate = await lockCertificate(em, input, proof);
      const request = { change: toChange(input), actor, comment: input.reason, prepared };
      const signed = (await readSigned([certificate], em)).get(certificate.id);
      return toOperatorsRow(await changeStatus.inTransaction(em, certificate, request), signed, clock());
    },

    answer(row: ReturnType<typeof toOperatorsRow>) {
      changeStatus.committed();
      return row;
    },

    async loadPresent(input: Input) {
      const certificate = requireCertificate(await certificates(database.fork(), proof).named(input));
      const signed = (await readSigned([certificate])).get(certificate.id);
      return toOperatorsRow(certificate, signed, clock());
    },
  };
}

async function lockCertificate(
  em: Transaction,
  name: CertificateName,
  proof: ChangeForOperatorDeps['proof'],
): Promise<ProvenCertificate> {
  return requireCertificate(await certificates(em, proof).lock(name));
}

function requireCertificate(certificate: ProvenCertificate | null): ProvenCertificate {
  if (certificate === null) throw new AppError({ code: 'CERTIFICATE_NOT_FOUND' });
  return certificate;
}

function isRevocationReason(text: string | undefined): text is RevocationReason {
  return revocationReasons.some((reason) => reason === text);
}

export function createRevokeCertificate(
  deps: ChangeForOperatorDeps,
): AdministratorChange<'certificates.revoke'> {
  return changeForOperator(deps, (input: OperatorInput<'certificates.revoke'>) => {
    const fromComment = isRevocationReason(input.reason) ? input.reason : 'unspecified';
    return { kind: 'revoke', reason: input.revocationReason ?? fromComment };
  });
}

export function createHoldCertificate(deps: ChangeForOperatorDeps): AdministratorChange<'certificates.hold'> {
  return changeForOperator(deps, () => ({ kind: 'hold' }));
}

export function createReleaseCertificate(
  deps: ChangeForOperatorDeps,
): AdministratorChange<'certificates.release'> {
  return changeForOperator(deps, () => ({ kind: 'release' }));
}
