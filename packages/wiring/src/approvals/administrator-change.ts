import type {
  OperatorInput,
  OperatorPath,
  ServiceAdministratorPath,
} from '@rubrica/contracts/operators/procedures';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import type { Database } from '@rubrica/database';
import type { OperatorCaller } from '@rubrica/process';
import type { OperatorUseCase } from '../calls/handlers.ts';

/** Entity manager of a transaction. */
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0];

type Answer<Path extends OperatorPath> = Awaited<ReturnType<OperatorUseCase<Path>>>;

/** Operator who makes a change. */
export interface Decider extends OperatorCaller {
  /** Id of the administrator who proposed the change, if it needed two. */
  readonly proposedBy?: string | undefined;
}

interface Making<Path extends OperatorPath> {
  /** Makes the change in the transaction of the decision; the returned function gives the answer after the commit. */
  make(
    em: Transaction,
    input: OperatorInput<Path>,
    operator: Decider,
  ): Promise<() => Promise<Answer<Path>> | Answer<Path>>;
}

/** Use case of an administrator's procedure that may have to wait for a second administrator. */
export interface AdministratorChange<Path extends OperatorPath> extends Making<Path> {
  /** Does slow work, such as a signature, before the transaction, and returns the `make` that uses it there. */
  prepare?(input: OperatorInput<Path>): Promise<Making<Path>>;
  /**
   * Runs first in the transaction: waits for other transactions that lock, in another order, the rows of the deciding
   * and of the changed operator.
   */
  inTurn?(em: Transaction): Promise<unknown>;
  /**
   * Loads the record that the change is about, in its JSON form, locked until the transaction ends; null if there is
   * none yet. A proposal is bound to it and cannot be approved for any other record.
   * @param operator proposer or approver
   */
  before(em: Transaction, input: OperatorInput<Path>, operator: OperatorCaller): Promise<object | null>;
  /** Loads the present record, for the answer while the change waits. */
  asItIs(input: OperatorInput<Path>): Promise<object>;
}

export type AdministratorChanges<Service extends ServiceName> = {
  readonly [Path in ServiceAdministratorPath<Service>]: AdministratorChange<Path>;
};
