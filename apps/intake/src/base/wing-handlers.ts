import type { createApprovals } from '@rubrica/approvals/create-approvals';
import type { Implementation } from '@rubrica/wiring';

type Intake = Implementation<'intake'>;

/** Handlers of one wing, by the names of their rows. `router.ts` merges the handlers of all wings. */
export interface WingHandlers {
  readonly calls: Partial<Intake['calls']>;
  readonly operators: Partial<Intake['operators']>;
  /** Changes by administrators, some of which need an approver. */
  readonly changes?: Partial<Parameters<typeof createApprovals<'intake'>>[0]['changes']>;
}
