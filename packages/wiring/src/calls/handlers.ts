import type {
  OperatorInput,
  OperatorPath,
  operatorProcedures,
  ServiceOperatorPath,
} from '@rubrica/contracts/operators/procedures';
import type { ActsFor, Call } from '@rubrica/contracts/services/call';
import type { CallName, ServiceCalls } from '@rubrica/contracts/services/calls';
import type { Caller } from '@rubrica/contracts/shared/caller';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import type { BaseContext, OperatorCaller, PartnerCaller, ServiceCaller } from '@rubrica/process/trpc';
import type { z } from 'zod';

/** Principal of a call, in the form that the receiver has after the row's guard. */
export type CallerFor<For extends ActsFor> = For['kind'] extends 'partner'
  ? PartnerCaller
  : For['kind'] extends 'operator'
    ? OperatorCaller
    : For['kind'] extends 'service' | 'applicant'
      ? ServiceCaller
      : Caller;

/** Context of a call in progress: its principal, signal and deadline. */
export interface CallContext<Who extends Caller = Caller> extends Omit<BaseContext, 'caller'> {
  readonly caller: Who;
}

type Handler<Input, Who extends Caller, Output> = (
  input: Input,
  call: CallContext<Who>,
) => Promise<Output> | Output;

/** Use case of one row of the calls table: `UseCase<'intake', 'requests.register'>`. */
export type UseCase<Service extends ServiceName, Name extends CallName<Service>> = RowUseCase<
  ServiceCalls[Service][Name]
>;

type RowUseCase<Row> = Row extends Call
  ? Handler<z.output<Row['input']>, CallerFor<Row['actsFor']>, z.input<Row['output']>>
  : never;

type OperatorTable = typeof operatorProcedures;

/** Input as it reaches the service: fields that the gateway has sealed are text. */
type SealedInput<Input, Row> = Row extends { readonly seals: infer Seals }
  ? {
      [Name in keyof Input]: Name extends keyof Seals
        ? string | Extract<Input[Name], undefined>
        : Input[Name];
    }
  : Input;

/** Use case of one procedure of operators: `OperatorUseCase<'terms.activate'>`. */
export type OperatorUseCase<Path extends OperatorPath> = Handler<
  SealedInput<OperatorInput<Path>, OperatorTable[Path]>,
  OperatorCaller,
  z.input<OperatorTable[Path]['output']>
>;

/** One use case for each call that the service answers: neither a row without code nor code without a row compiles. */
export type CallHandlers<Service extends ServiceName> = {
  readonly [Name in CallName<Service>]: UseCase<Service, Name>;
};

export type OperatorHandlers<Service extends ServiceName> = {
  readonly [Path in ServiceOperatorPath<Service>]: OperatorUseCase<Path>;
};
