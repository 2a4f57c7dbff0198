import type { Operation } from '@rubrica/contracts/rest/operation';
import type { z } from 'zod';

/** Bodies by the case that they show. Most callers send the first one. */
type Bodies<Body extends z.ZodType> = { readonly [shows: string]: z.input<Body> };

/** Example of a call and its answer, in the types of the operation's schemas. */
export type OperationExample<Row extends Operation> = {
  readonly answer: z.output<Row['success']>;
} & (Row extends { readonly body: infer Body extends z.ZodType }
  ? { readonly bodies: Bodies<Body> }
  : unknown) &
  (Row extends { readonly query: infer Query extends z.ZodType }
    ? { readonly query: z.input<Query> }
    : unknown) &
  (Row extends { readonly params: infer Params extends z.ZodType }
    ? { readonly params: z.input<Params> }
    : unknown);

/** Examples for each row of a table of operations. A row without one does not compile. */
export type OperationExamples<Rows extends Readonly<Record<string, Operation>>> = {
  readonly [Id in keyof Rows]: OperationExample<Rows[Id]>;
};
