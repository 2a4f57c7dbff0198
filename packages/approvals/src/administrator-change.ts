import type {
  OperatorInput,
  OperatorPath,
  ServiceAdministratorPath,
} from '@rubrica/contracts/operators/procedures';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import type { Database } from '@rubrica/database/connection';
import type { OperatorCaller } from '@rubrica/process/trpc';
import type { OperatorUseCase } from '@rubrica/wiring';

/** Entity manager of a transaction. */
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0];

type Answer<Path extends OperatorPath> = Awaited<ReturnType<OperatorUseCase<Path>>>;

/** Operator who makes a change. */
export interface Decider extends OperatorCaller {
  /** Id of the administrator who proposed the change, if it needed two. */
  readonly proposedBy?: string | undefined;
}

/**
 * Use case of an administrator's procedure that may have to wait for a second administrator. `propose-change.ts` and
 * `approve-change.ts` call these steps, in this order.
 */
export interface AdministratorChange<Path extends OperatorPath, Made = unknown, Prepared = unknown> {
  /** Does slow work, such as a signature, before the transaction. */
  prepare?(input: OperatorInput<Path>): Promise<Prepared>;
  /**
   * Runs first in the transaction: waits for other transactions that lock, in another order, the rows of the deciding
   * and of the changed operator.
   */
  lockFirst?(em: Transaction): Promise<unknown>;
  /**
   * Loads the record that the change is about, in its JSON form, locked until the transaction ends; null if there is
   * none yet. A proposal is bound to it and cannot be approved for any other record.
   * @param operator proposer or approver
   */
  loadBefore(em: Transaction, input: OperatorInput<Path>, operator: OperatorCaller): Promise<object | null>;
  /** Makes the change in the transaction of the decision. */
  make(
    em: Transaction,
    input: OperatorInput<Path>,
    operator: Decider,
    prepared: Prepared | undefined,
  ): Promise<Made>;
  /** Creates the answer after the commit. */
  answer(made: Made, input: OperatorInput<Path>): Promise<Answer<Path>> | Answer<Path>;
  /** Loads the present record, for the answer while the change waits. */
  loadPresent(input: OperatorInput<Path>): Promise<object>;
}

export type AdministratorChanges<Service extends ServiceName> = {
  readonly [Path in ServiceAdministratorPath<Service>]: AdministratorChange<Path>;
};
