import type { AdministratorsStanding } from '@rubrica/contracts/services/schemas/administrators';
import { AppError, type OperatorCaller } from '@rubrica/process';
import type { Peers } from '../calls/peers.ts';
import type { Transaction } from './administrator-change.ts';

/** Who decides, and who has proposed what is decided on. */
export interface People {
  readonly operator: Pick<OperatorCaller, 'operatorId'>;
  readonly proposedBy?: string | undefined;
}

/** What is known of administrators. */
export interface Administrators {
  /**
   * Before the transaction of a decision; the function that it gives says in the transaction how they stand. Intake asks
   * its own rows there and locks them; another service has asked intake, because no call belongs into a transaction.
   */
  look(people: People): Promise<(em: Transaction) => Promise<AdministratorsStanding>>;
}

/** A right that has ended is gone everywhere within 5 s: what waited longer for a lock asks again. */
const freshForMs = 3_000;

type Intake = { readonly 'administrators.standing': Peers<'terms'>['intake']['administrators.standing'] };

/** For a service that does not keep operators: intake says how they stand now, whatever their tokens say. */
export function askIntake(intake: Intake): Administrators {
  return {
    async look({ operator, proposedBy }) {
      const askedAt = performance.now();
      const { operatorId } = operator;
      const standing = await intake['administrators.standing']({ operatorId, proposedBy });
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
  throw new AppError({ code: 'FORBIDDEN', publicMessage: 'You are no enabled administrator' });
}
