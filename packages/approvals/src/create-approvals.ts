import type { ServiceAdministratorPath } from '@rubrica/contracts/operators/procedures';
import type { ApprovalService } from '@rubrica/contracts/shared/enumerations';
import type { OperatorUseCase } from '@rubrica/wiring';
import type { AdministratorChanges } from './administrator-change.ts';
import { type ChangesByPath, createApproveChange, createPasskeyOptions } from './approve-change.ts';
import { createGetChange, createListChanges } from './list-changes.ts';
import { createProposeChange } from './propose-change.ts';
import { createRejectChange } from './reject-change.ts';
import type { ApprovalDeps } from './waiting-change.ts';

export interface ApprovalsOptions<Service extends ApprovalService> extends ApprovalDeps {
  readonly service: Service;
  readonly changes: AdministratorChanges<Service>;
}

type ApprovalHandlers = {
  readonly [Path in
    | 'approvals.list'
    | 'approvals.get'
    | 'approvals.passkeyOptions'
    | 'approvals.approve'
    | 'approvals.reject']: OperatorUseCase<Path>;
};
type ChangeHandlers<Service extends ApprovalService> = {
  readonly [Path in ServiceAdministratorPath<Service>]: OperatorUseCase<Path>;
};

/** Creates the use cases of a service's administrators: one for each change, and those of waiting changes. */
export function createApprovals<Service extends ApprovalService>({
  changes: typed,
  ...deps
}: ApprovalsOptions<Service>): ApprovalHandlers & ChangeHandlers<Service> {
  const changes = typed as unknown as ChangesByPath;
  const handlers = Object.entries(changes).map(([path, change]) => [
    path,
    createProposeChange(deps, path as ServiceAdministratorPath<ApprovalService>, change),
  ]);
  return {
    ...(Object.fromEntries(handlers) as ChangeHandlers<Service>),
    'approvals.list': createListChanges(deps),
    'approvals.get': createGetChange(deps),
    'approvals.passkeyOptions': createPasskeyOptions(deps),
    'approvals.approve': createApproveChange(deps, changes),
    'approvals.reject': createRejectChange(deps),
  };
}
