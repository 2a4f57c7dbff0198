import type {
  OperatorInput,
  OperatorPath,
  OperatorPathOf,
  operatorProcedures,
} from '@rubrica/contracts/operators/procedures';
import type { ActsFor, Call } from '@rubrica/contracts/services/call';
import type { CallName, ServiceCalls } from '@rubrica/contracts/services/calls';
import type { Caller } from '@rubrica/contracts/shared/caller';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import type { BaseContext, OperatorCaller, PartnerCaller, ServiceCaller } from '@rubrica/process';
import type { z } from 'zod';

/** Who a call is made for, as the receiver knows it once the row's guard has let it in. */
export type CallerFor<For extends ActsFor> = For['kind'] extends 'partner'
  ? PartnerCaller
  : For['kind'] extends 'operator'
    ? OperatorCaller
    : For['kind'] extends 'service' | 'applicant'
      ? ServiceCaller
      : Caller;

/** A call in hand: for whom it is made, its signal and deadline. */
export interface CallInHand<Who extends Caller = Caller> extends Omit<BaseContext, 'caller'> {
  readonly caller: Who;
}

type Handler<Input, Who extends Caller, Output> = (
  input: Input,
  call: CallInHand<Who>,
) => Promise<Output> | Output;

/** The use case behind one row of the calls table: `UseCase<'intake', 'requests.register'>`. */
export type UseCase<Service extends ServiceName, Name extends CallName<Service>> = UseCaseOf<
  ServiceCalls[Service][Name]
>;

type UseCaseOf<Row> = Row extends Call
  ? Handler<z.output<Row['input']>, CallerFor<Row['actsFor']>, z.input<Row['output']>>
  : never;

type OperatorTable = typeof operatorProcedures;

/** The input as it reaches the service: what the gateway has sealed is text there. */
type AsTaken<Input, Row> = Row extends { readonly seals: infer Seals }
  ? {
      [Name in keyof Input]: Name extends keyof Seals
        ? string | Extract<Input[Name], undefined>
        : Input[Name];
    }
  : Input;

/** The use case behind one procedure of operators: `OperatorUseCase<'terms.activate'>`. */
export type OperatorUseCase<Path extends OperatorPath> = Handler<
  AsTaken<OperatorInput<Path>, OperatorTable[Path]>,
  OperatorCaller,
  z.input<OperatorTable[Path]['output']>
>;

/** One use case for each call that the service answers: a row without code does not compile, nor does code without a row. */
export type CallHandlers<Service extends ServiceName> = {
  readonly [Name in CallName<Service>]: UseCase<Service, Name>;
};

export type OperatorHandlers<Service extends ServiceName> = {
  readonly [Path in OperatorPathOf<Service>]: OperatorUseCase<Path>;
};
