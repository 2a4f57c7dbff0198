// tRPC's declarations name `Disposable`, which may be missing in a project's `lib` and in Node.js's types.
/// <reference lib="esnext.disposable" preserve="true" />
import type {
  TRPCBuiltRouter,
  TRPCErrorShape,
  TRPCMutationProcedure,
  TRPCQueryProcedure,
} from '@trpc/server';
import type { ErrorCode, ErrorDetail, OperatorPath, Procedures } from './api.ts';

export type OperatorInput<P extends OperatorPath> = Procedures[P]['input'];
export type OperatorOutput<P extends OperatorPath> = Procedures[P]['output'];

/** `data` of every failure: `appCode` is the catalogue's code, `details` list the faults by field. */
export type OperatorErrorData = {
  code: string;
  httpStatus: number;
  path?: string;
  appCode: ErrorCode;
  details: readonly ErrorDetail[];
  retryAfterSeconds?: number;
  traceId?: string;
};

interface Row {
  readonly kind: 'query' | 'mutation';
  readonly input: unknown;
  readonly output: unknown;
}

interface Definition<R extends Row> {
  meta: unknown;
  input: R['input'];
  output: R['output'];
}

type RowProcedure<R> = R extends Row
  ? R['kind'] extends 'query'
    ? TRPCQueryProcedure<Definition<R>>
    : TRPCMutationProcedure<Definition<R>>
  : never;

type Head<Path> = Path extends `${infer Name}.${string}` ? Name : Path & string;

/** Nested record of the procedures' paths, of which tRPC's types are built. */
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
  errorShape: TRPCErrorShape<OperatorErrorData>;
  transformer: false;
}

/** Router type for tRPC's own tools, for example `createTRPCClient` or `createTRPCContext` of its React package. */
export type OperatorRouter = TRPCBuiltRouter<Root, Nested<Procedures>>;
