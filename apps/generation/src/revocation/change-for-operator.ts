import type { OperatorOutput } from '@rubrica/contracts/operators/procedures';
import { type RevocationReason, revocationReasons } from '@rubrica/contracts/shared/enumerations';
import type { Database } from '@rubrica/database';
import type { Clock, OperatorCaller } from '@rubrica/process';
import type { OperatorUseCase } from '@rubrica/wiring';
import { toOperatorsRow } from '../certificate/certificate-view.ts';
import { type CertificateName, certificates } from '../certificate/certificates.repository.ts';
import type { ChangeStatus } from './change-status.ts';
import type { StatusChange } from './decide-change.ts';

export interface ChangeForOperatorDeps {
  readonly database: Pick<Database, 'fork'>;
  readonly changeStatus: ChangeStatus;
  readonly clock: Clock;
}

interface Wanted {
  readonly input: CertificateName & { readonly reason?: string | undefined };
  readonly caller: OperatorCaller;
  readonly change: StatusChange;
}

async function changeForOperator(
  { database, changeStatus, clock }: ChangeForOperatorDeps,
  { input, caller, change }: Wanted,
): Promise<OperatorOutput<'certificates.revoke'>> {
  const changed = await changeStatus(() => certificates(database.fork()).named(input), {
    change,
    actor: `operator:${caller.email}`,
    comment: input.reason,
  });
  return toOperatorsRow(changed, clock());
}

function isRevocationReason(text: string | undefined): text is RevocationReason {
  return revocationReasons.some((reason) => reason === text);
}

export function createRevokeCertificate(deps: ChangeForOperatorDeps): OperatorUseCase<'certificates.revoke'> {
  return (input, { caller }) => {
    const fromComment = isRevocationReason(input.reason) ? input.reason : 'unspecified';
    const reason = input.revocationReason ?? fromComment;
    return changeForOperator(deps, { input, caller, change: { kind: 'revoke', reason } });
  };
}

export function createHoldCertificate(deps: ChangeForOperatorDeps): OperatorUseCase<'certificates.hold'> {
  return (input, { caller }) => changeForOperator(deps, { input, caller, change: { kind: 'hold' } });
}

export function createReleaseCertificate(
  deps: ChangeForOperatorDeps,
): OperatorUseCase<'certificates.release'> {
  return (input, { caller }) => changeForOperator(deps, { input, caller, change: { kind: 'release' } });
}
