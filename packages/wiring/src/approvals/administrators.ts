import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { AdministratorStatus } from '@rubrica/contracts/services/schemas/administrators';
import type {
  ApprovalGrant,
  approvalToConfirm,
  confirmApprovalInput,
  passkeyOptionsOutput,
} from '@rubrica/contracts/services/schemas/approval-grants';
import type { ApprovalService } from '@rubrica/contracts/shared/enumerations';
import { AppError, type OperatorCaller, uuidv7 } from '@rubrica/process';
import type { z } from 'zod';
import type { Peers } from '../calls/peers.ts';
import type { Transaction } from './administrator-change.ts';
import { readAdministratorStatus } from './read-administrator-status.ts';
import { type GrantReading, readApprovalGrant } from './read-approval-grant.ts';

/** Operator who decides, and operator who proposed the change. */
export interface People {
  readonly operator: Pick<OperatorCaller, 'operatorId'>;
  readonly proposedBy?: string | undefined;
}

/** Confirmation that an operator approved the change of this digest, with the passkey if there is one. */
export type Confirmation = Pick<ApprovalGrant, 'digest' | 'factorId'>;
export type PasskeyOptions = z.output<typeof passkeyOptionsOutput>;

/** Access to the present status of administrators. */
export interface Administrators {
  /** Creates the challenge for the approver's passkey. */
  passkeyOptions(approval: z.output<typeof approvalToConfirm>): Promise<PasskeyOptions>;
  /**
   * Confirms an approval before its transaction, which compares the digest.
   * @throws AppError PASSKEY_NEEDED, or FORBIDDEN if no passkey of the operator has signed this digest
   */
  confirm(approval: z.output<typeof confirmApprovalInput>): Promise<Confirmation>;
  /**
   * Prepares a decision before its transaction; the returned function gives the status inside it. Intake reads and
   * locks its own rows there; another service has asked intake before, because no call belongs in a transaction.
   */
  look(people: People): Promise<(em: Transaction) => Promise<AdministratorStatus>>;
}

/**
 * Age up to which a status is used. A right that has ended must be gone everywhere within 5 s: after a longer wait for
 * a lock the status is requested again.
 */
const freshForMs = 3_000;

type Intake = Pick<
  Peers<'terms'>['intake'],
  'administrators.standing' | 'administrators.passkeyOptions' | 'administrators.confirmApproval'
>;

interface AskingDeps extends Omit<GrantReading, 'service'> {
  readonly peers: { readonly intake: Intake };
}

/**
 * Creates the access for services without operators: intake answers their present status, whatever their tokens say.
 */
export function askIntake(
  service: ApprovalService,
  { peers: { intake }, keyring, clock }: AskingDeps,
): Administrators {
  return {
    passkeyOptions: (approval) => intake['administrators.passkeyOptions'](approval),
    async confirm(approval) {
      const { grant } = await intake['administrators.confirmApproval'](approval);
      return readApprovalGrant(grant, approval, { service, keyring, clock });
    },
    async look({ operator, proposedBy }) {
      const askedAt = performance.now();
      const { operatorId } = operator;
      const nonce = uuidv7();
      const answer = await intake['administrators.standing']({ operatorId, proposedBy, nonce });
      const question = { operatorId, proposedBy, nonce };
      const standing = readAdministratorStatus(answer.statement, question, { service, keyring, clock });
      return async () => {
        if (performance.now() - askedAt <= freshForMs) return standing;
        throw new AppError({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 2 });
      };
    },
  };
}

/** @throws AppError FORBIDDEN for an operator who is not an enabled administrator now */
export function assertAdministrator({ isAdministrator }: AdministratorStatus): void {
  if (isAdministrator) return;
  throw new AppError({ code: 'FORBIDDEN', text: createText('approval.notAdministrator') });
}
