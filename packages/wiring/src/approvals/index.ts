export type { AdministratorChange, Administrators } from './administrator-change.ts';
export { createApprovals } from './create-approvals.ts';
