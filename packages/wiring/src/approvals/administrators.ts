import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { ApprovalService } from '@rubrica/contracts/operators/approvals';
import type { AdministratorsStanding } from '@rubrica/contracts/services/schemas/administrators';
import type {
  ApprovalGrant,
  approvalToConfirm,
  confirmApprovalInput,
  passkeyOptionsOutput,
} from '@rubrica/contracts/services/schemas/approval-grants';
import { AppError, type OperatorCaller, uuidv7 } from '@rubrica/process';
import type { z } from 'zod';
import type { Peers } from '../calls/peers.ts';
import type { Transaction } from './administrator-change.ts';
import { type GrantReading, readApprovalGrant } from './read-approval-grant.ts';
import { readStanding } from './read-standing.ts';

/** Who decides, and who has proposed what is decided on. */
export interface People {
  readonly operator: Pick<OperatorCaller, 'operatorId'>;
  readonly proposedBy?: string | undefined;
}

/** That an operator has confirmed the change of this digest, by the passkey that is named if there is one. */
export type Confirmation = Pick<ApprovalGrant, 'digest' | 'factorId'>;
export type PasskeyOptions = z.output<typeof passkeyOptionsOutput>;

/** What is known of administrators. */
export interface Administrators {
  /** What a passkey of who approves has to sign. */
  passkeyOptions(approval: z.output<typeof approvalToConfirm>): Promise<PasskeyOptions>;
  /**
   * Before the transaction of an approval, which compares the digest.
   * @throws AppError PASSKEY_NEEDED, or FORBIDDEN for what no passkey of the operator has signed for this digest
   */
  confirm(approval: z.output<typeof confirmApprovalInput>): Promise<Confirmation>;
  /**
   * Before the transaction of a decision; the function that it gives says in the transaction how they stand. Intake asks
   * its own rows there and locks them; another service has asked intake, because no call belongs into a transaction.
   */
  look(people: People): Promise<(em: Transaction) => Promise<AdministratorsStanding>>;
}

/** A right that has ended is gone everywhere within 5 s: what waited longer for a lock asks again. */
const freshForMs = 3_000;

type Intake = Pick<
  Peers<'terms'>['intake'],
  'administrators.standing' | 'administrators.passkeyOptions' | 'administrators.confirmApproval'
>;

interface AskingDeps extends Omit<GrantReading, 'service'> {
  readonly peers: { readonly intake: Intake };
}

/** For a service that does not keep operators: intake says how they stand now, whatever their tokens say. */
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
      const standing = readStanding(answer.statement, question, { service, keyring, clock });
      return async () => {
        if (performance.now() - askedAt <= freshForMs) return standing;
        throw new AppError({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 2 });
      };
    },
  };
}

/** @throws AppError FORBIDDEN for an operator who is no enabled administrator now */
export function assertAdministrator({ isAdministrator }: AdministratorsStanding): void {
  if (isAdministrator) return;
  throw new AppError({ code: 'FORBIDDEN', text: createText('approval.notAdministrator') });
}
