import type { OperatorPathOf, operatorProcedures } from '@rubrica/contracts/operators/procedures';
import type { Call } from '@rubrica/contracts/services/call';
import type { ServiceCalls } from '@rubrica/contracts/services/calls';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import type { ServiceErrorData } from '@rubrica/process';
import type {
  TRPCBuiltRouter,
  TRPCErrorShape,
  TRPCMutationProcedure,
  TRPCQueryProcedure,
} from '@trpc/server';
import type { z } from 'zod';

type Row = Pick<Call, 'kind' | 'input' | 'output'>;

interface Definition<R extends Row> {
  meta: unknown;
  /** As written by the caller: defaults may be left out. */
  input: z.input<R['input']>;
  output: z.output<R['output']>;
}

type ProcedureOf<R> = R extends Row
  ? R['kind'] extends 'query'
    ? TRPCQueryProcedure<Definition<R>>
    : TRPCMutationProcedure<Definition<R>>
  : never;

type Head<Path> = Path extends `${infer Name}.${string}` ? Name : Path & string;

/** The flat names of the rows as the nested record that tRPC's types are made of. */
type Nested<Rows> = {
  [Name in Head<keyof Rows>]: Name extends keyof Rows
    ? ProcedureOf<Rows[Name]>
    : {
        [Path in keyof Rows as Path extends `${Name}.${infer Rest}` ? Rest : never]: ProcedureOf<Rows[Path]>;
      };
};

interface Root {
  ctx: object;
  meta: object;
  /** `data.appCode` is the catalogue's code. */
  errorShape: TRPCErrorShape<ServiceErrorData>;
  transformer: false;
}

/** tRPC's type of a router that answers these rows: what `createTRPCClient` and `createBusClient` take. */
export type RouterOf<Rows> = TRPCBuiltRouter<Root, Nested<Rows>>;

/** What a service answers to other services. */
export type ServiceRouterOf<Service extends ServiceName> = RouterOf<ServiceCalls[Service]>;

/** What it answers to operators. */
export type OperatorRouterOf<Service extends ServiceName> = RouterOf<
  Pick<typeof operatorProcedures, OperatorPathOf<Service>>
>;
