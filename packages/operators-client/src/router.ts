// tRPC's declarations name `Disposable`, which a project may know by neither its `lib` nor Node.js's types.
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

/** `data` of every failure: `appCode` is the catalogue's code, `details` say it field by field. */
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

type ProcedureOf<R> = R extends Row
  ? R['kind'] extends 'query'
    ? TRPCQueryProcedure<Definition<R>>
    : TRPCMutationProcedure<Definition<R>>
  : never;

type Head<Path> = Path extends `${infer Name}.${string}` ? Name : Path & string;

/** The paths of the procedures as the nested record that tRPC's types are made of. */
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
  errorShape: TRPCErrorShape<OperatorErrorData>;
  transformer: false;
}

/** What tRPC's own tools take, such as `createTRPCClient` or `createTRPCContext` of its React package. */
export type OperatorRouter = TRPCBuiltRouter<Root, Nested<Procedures>>;
