export type { AdministratorChange, Decider, Transaction } from './administrator-change.ts';
export { type Administrators, askIntake, type Confirmation, type PasskeyOptions } from './administrators.ts';
export { createApprovals } from './create-approvals.ts';
