import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { AdministratorStatus } from '@rubrica/contracts/services/schemas/administrators';
import type {
  ApprovalGrant,
  approvalToConfirm,
  confirmApprovalInput,
  passkeyOptionsOutput,
} from '@rubrica/contracts/services/schemas/approval-grants';
import { AppError } from '@rubrica/process/errors';
import type { OperatorCaller } from '@rubrica/process/trpc';
import type { z } from 'zod';
import type { Transaction } from './administrator-change.ts';

/** Operator who decides, and operator who proposed the change. */
export interface People {
  readonly operator: Pick<OperatorCaller, 'operatorId'>;
  readonly proposedBy?: string | undefined;
}

/** Confirmation that an operator approved the change of this digest, with the passkey if there is one. */
export type Confirmation = Pick<ApprovalGrant, 'digest' | 'factorId'>;
export type PasskeyOptions = z.output<typeof passkeyOptionsOutput>;

/** Status that intake has answered before a transaction. */
export interface RemoteStatus {
  readonly status: AdministratorStatus;
  /** Time of the request, by `performance.now()`. */
  readonly requestedAtMs: number;
}

/** Access to the present status of administrators: in intake its own rows, elsewhere calls of intake. */
export interface Administrators {
  /** Creates the challenge for the approver's passkey. */
  passkeyOptions(approval: z.output<typeof approvalToConfirm>): Promise<PasskeyOptions>;
  /**
   * Confirms an approval before its transaction, which compares the digest.
   * @throws AppError PASSKEY_NEEDED, or FORBIDDEN if no passkey of the operator has signed this digest
   */
  confirm(approval: z.output<typeof confirmApprovalInput>): Promise<Confirmation>;
  /** Requests the status before the transaction, because no call belongs in one; intake needs none. */
  requestStatus(people: People): Promise<RemoteStatus | undefined>;
  /**
   * Returns the status in the transaction: intake reads and locks its rows, another service uses what it has requested.
   * @throws AppError SERVICE_UNAVAILABLE if that is too old
   */
  readStatus(em: Transaction, people: People, remote: RemoteStatus | undefined): Promise<AdministratorStatus>;
}

/** @throws AppError FORBIDDEN for an operator who is not an enabled administrator now */
export function assertAdministrator({ isAdministrator }: AdministratorStatus): void {
  if (isAdministrator) return;
  throw new AppError({ code: 'FORBIDDEN', text: createText('approval.notAdministrator') });
}
