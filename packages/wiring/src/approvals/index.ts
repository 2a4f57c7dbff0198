export type { AdministratorChange, Decider, Transaction } from './administrator-change.ts';
export { type Administrators, askIntake } from './administrators.ts';
export { createApprovals } from './create-approvals.ts';
