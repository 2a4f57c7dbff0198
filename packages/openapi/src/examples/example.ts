import type { Operation } from '@rubrica/contracts/rest/operation';
import type { z } from 'zod';

/** Bodies by what each of them shows; the first one is what most callers send. */
type Bodies<Body extends z.ZodType> = { readonly [shows: string]: z.input<Body> };

/** What an operation may be sent and what it then answers, in the types of its own schemas. */
export type ExampleOf<Row extends Operation> = {
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

/** One for each row of a table of operations: a row without one does not compile. */
export type ExamplesOf<Rows extends Readonly<Record<string, Operation>>> = {
  readonly [Id in keyof Rows]: ExampleOf<Rows[Id]>;
};
