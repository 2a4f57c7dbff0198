import type { operatorProcedures } from '@rubrica/contracts/operators/procedures';
import type { z } from 'zod';
import type { Procedures } from '../src/index.ts';

/** Checked by the compiler alone: the generated types are those of the schemas, and no procedure is missing. */
type Rows = typeof operatorProcedures;

type Same<A, B> = [A] extends [B]
  ? [B] extends [A]
    ? true
    : { expected: B; given: A }
  : { expected: B; given: A };

type Compared = {
  [P in keyof Rows]: P extends keyof Procedures
    ? {
        kind: Same<Procedures[P]['kind'], Rows[P]['kind']>;
        input: Same<Procedures[P]['input'], z.input<Rows[P]['input']>>;
        output: Same<Procedures[P]['output'], z.output<Rows[P]['output']>>;
      }
    : 'missing';
};

export const compared: Compared = undefined as unknown as {
  [P in keyof Rows]: { kind: true; input: true; output: true };
};
