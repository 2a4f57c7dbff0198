import type {
  OperatorInput,
  OperatorOutput,
  OperatorPath,
  operatorProcedures,
} from '@rubrica/contracts/operators/procedures';
import type { ServiceErrorData } from '@rubrica/process';
import type {
  TRPCBuiltRouter,
  TRPCErrorShape,
  TRPCMutationProcedure,
  TRPCQueryProcedure,
} from '@trpc/server';
import type { z } from 'zod';

type Table = typeof operatorProcedures;

interface Definition<P extends OperatorPath> {
  meta: unknown;
  /** As written by the caller: defaults may be left out. */
  input: z.input<Table[P]['input']>;
  output: OperatorOutput<P>;
}

type ProcedureOf<P extends OperatorPath> = Table[P]['kind'] extends 'query'
  ? TRPCQueryProcedure<Definition<P>>
  : TRPCMutationProcedure<Definition<P>>;

type Head<P extends string> = P extends `${infer Name}.${string}` ? Name : P;

/** The flat paths of the table as the nested record that tRPC's types are made of. */
type OperatorRecord = {
  [Name in Head<OperatorPath>]: Name extends OperatorPath
    ? ProcedureOf<Name>
    : { [P in OperatorPath as P extends `${Name}.${infer Rest}` ? Rest : never]: ProcedureOf<P> };
};

interface Root {
  ctx: object;
  meta: object;
  /** `data.appCode` is the catalogue's code. */
  errorShape: TRPCErrorShape<ServiceErrorData>;
  transformer: false;
}

/** What a dashboard builds its client from: `createTRPCClient<OperatorRouter>`. */
export type OperatorRouter = TRPCBuiltRouter<Root, OperatorRecord>;

export type { OperatorInput, OperatorOutput, OperatorPath };
