import type {
  AdministratorPathOf,
  OperatorInput,
  OperatorPath,
} from '@rubrica/contracts/operators/procedures';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import type { Database } from '@rubrica/database';
import type { OperatorCaller } from '@rubrica/process';
import type { OperatorUseCase } from '../calls/handlers.ts';

/** A transaction's entity manager. */
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0];

type Answer<Path extends OperatorPath> = Awaited<ReturnType<OperatorUseCase<Path>>>;

/** Who makes a change. */
export interface Decider extends OperatorCaller {
  /** The other administrator, where it took two: the id of who has proposed it. */
  readonly proposedBy?: string | undefined;
}

interface Making<Path extends OperatorPath> {
  /** Makes the change in the transaction of the decision; what it returns answers, once that is committed. */
  make(
    em: Transaction,
    input: OperatorInput<Path>,
    operator: Decider,
  ): Promise<() => Promise<Answer<Path>> | Answer<Path>>;
}

/** The use case behind an administrator's procedure that may have to wait for a second administrator. */
export interface AdministratorChange<Path extends OperatorPath> extends Making<Path> {
  /** Does what takes long, such as a signature, before the transaction, and gives the `make` that uses it there. */
  prepare?(input: OperatorInput<Path>): Promise<Making<Path>>;
  /** First in the transaction: waits for others that lock, in another order, the rows of who decides and of who is changed. */
  inTurn?(em: Transaction): Promise<unknown>;
  /**
   * The record that the change is about, as JSON has it, locked until the transaction ends; null where there is none
   * yet. What a proposal is bound to: of any other record it cannot be approved.
   * @param operator who proposes it, or approves it
   */
  before(em: Transaction, input: OperatorInput<Path>, operator: OperatorCaller): Promise<object | null>;
  /** The record as it is, for the answer while the change waits. */
  asItIs(input: OperatorInput<Path>): Promise<object>;
}

export type AdministratorChanges<Service extends ServiceName> = {
  readonly [Path in AdministratorPathOf<Service>]: AdministratorChange<Path>;
};
