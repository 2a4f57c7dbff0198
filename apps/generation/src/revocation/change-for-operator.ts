import type { OperatorInput } from '@rubrica/contracts/operators/procedures';
import { type RevocationReason, revocationReasons } from '@rubrica/contracts/shared/enumerations';
import { AppError } from '@rubrica/process';
import type { AdministratorChange, Transaction } from '@rubrica/wiring/approvals';
import { toOperatorsRow } from '../certificate/certificate-view.ts';
import {
  type CertificateName,
  certificates,
  type ProvenCertificate,
} from '../certificate/certificates.repository.ts';
import type { GenerationDeps } from '../context.ts';
import { decide, type PreparedChange } from './change-status.ts';
import type { StatusChange } from './decide-change.ts';

export type ChangeForOperatorDeps = Pick<
  GenerationDeps,
  'database' | 'changeStatus' | 'clock' | 'proof' | 'readSigned'
>;

type Path = 'certificates.revoke' | 'certificates.hold' | 'certificates.release';
type Wanted = CertificateName & { readonly reason?: string | undefined };

/** The answer of OCSP is signed before the transaction, because a key may be far away. */
function changeForOperator<Input extends Wanted>(
  { database, changeStatus, clock, proof, readSigned }: ChangeForOperatorDeps,
  changeOf: (input: Input) => StatusChange,
) {
  function making(prepared: PreparedChange | undefined): Pick<AdministratorChange<Path>, 'make'> {
    return {
      async make(em, input, operator) {
        const change = changeOf(input as OperatorInput<Path> & Input);
        const actor = `operator:${operator.email}`;
        const certificate = await locked(em, input, proof);
        const wanted = { change, actor, comment: input.reason, prepared };
        const signed = (await readSigned([certificate], em)).get(certificate.id);
        const row = toOperatorsRow(
          await changeStatus.inTransaction(em, certificate, wanted),
          signed,
          clock(),
        );
        return () => {
          changeStatus.committed();
          return row;
        };
      },
    };
  }
  return {
    ...making(undefined),

    prepare: async (input: Input) =>
      making(
        await changeStatus.prepare(await certificates(database.fork(), proof).named(input), changeOf(input)),
      ),

    /** @throws AppError where the certificate does not allow the change: it would not be made later either */
    async before(em: Transaction, input: Input) {
      const certificate = await locked(em, input, proof);
      decide(certificate, changeOf(input), clock());
      const { id, requestId, serial, heldAt, statusVersion: version } = certificate;
      const signed = (await readSigned([certificate], em)).get(id);
      const { subject, notBefore, notAfter } = toOperatorsRow(certificate, signed, clock());
      const shown = { id, requestId, serialNumber: serial, subject, notBefore, notAfter };
      return { ...shown, heldAt: heldAt?.toISOString() ?? null, version };
    },

    async asItIs(input: Input) {
      const certificate = existing(await certificates(database.fork(), proof).named(input));
      const signed = (await readSigned([certificate])).get(certificate.id);
      return toOperatorsRow(certificate, signed, clock());
    },
  };
}

async function locked(
  em: Transaction,
  name: CertificateName,
  proof: ChangeForOperatorDeps['proof'],
): Promise<ProvenCertificate> {
  return existing(await certificates(em, proof).lock(name));
}

function existing(certificate: ProvenCertificate | null): ProvenCertificate {
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
