import type { operatorProcedures, ServiceOperatorPath } from '@rubrica/contracts/operators/procedures';
import type { Call } from '@rubrica/contracts/services/call';
import type { ServiceCalls } from '@rubrica/contracts/services/calls';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import type { ServiceErrorData } from '@rubrica/process/trpc';
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
  /** Input as the caller writes it: defaults may be omitted. */
  input: z.input<R['input']>;
  output: z.output<R['output']>;
}

type RowProcedure<R> = R extends Row
  ? R['kind'] extends 'query'
    ? TRPCQueryProcedure<Definition<R>>
    : TRPCMutationProcedure<Definition<R>>
  : never;

type Head<Path> = Path extends `${infer Name}.${string}` ? Name : Path & string;

/** Nested record of the rows' flat names, of which tRPC's types are built. */
type Nested<Rows> = {
  [Name in Head<keyof Rows>]: Name extends keyof Rows
    ? RowProcedure<Rows[Name]>
    : {
        [Path in keyof Rows as Path extends `${Name}.${infer Rest}` ? Rest : never]: RowProcedure<Rows[Path]>;
      };
};

interface Root {
  ctx: object;
  meta: object;
  /** `data.appCode` is the catalogue's code. */
  errorShape: TRPCErrorShape<ServiceErrorData>;
  transformer: false;
}

/** tRPC's type of a router that answers these rows, as `createTRPCClient` and `createBusClient` need it. */
export type RowsRouter<Rows> = TRPCBuiltRouter<Root, Nested<Rows>>;

/** Router of a service for other services. */
export type ServiceRowsRouter<Service extends ServiceName> = RowsRouter<ServiceCalls[Service]>;

/** Router of a service for operators. */
export type OperatorRowsRouter<Service extends ServiceName> = RowsRouter<
  Pick<typeof operatorProcedures, ServiceOperatorPath<Service>>
>;
