import type { IdentifierName as ContractIdentifierName } from '@rubrica/contracts/shared/identifiers';
import type { z } from 'zod';
import type { EveryOperation } from '../scripts/every-operation.ts';
import type { FileContent, IdentifierName, Operations } from '../src/index.ts';

/** Checked by the compiler alone: the generated types are those of the schemas. */
type Id = keyof EveryOperation & keyof Operations;
type Sent<One extends Id> = EveryOperation[One] extends { body: infer Body extends z.ZodType }
  ? z.input<Body>
  : EveryOperation[One] extends { query: infer Query extends z.ZodType }
    ? z.input<Query>
    : EveryOperation[One] extends { params: infer Params extends z.ZodType }
      ? z.input<Params>
      : Record<string, never>;

/** A file is given in other forms than it travels in. */
type AsItTravels<T> = FileContent extends T
  ? string | number[] | Extract<T, undefined>
  : T extends readonly (infer One)[]
    ? Array<AsItTravels<One>>
    : T extends object
      ? { [Name in keyof T]: AsItTravels<T[Name]> }
      : T;

type Same<A, B> = [A] extends [B]
  ? [B] extends [A]
    ? true
    : { expected: B; given: A }
  : { expected: B; given: A };

type Compared = {
  [One in Id]: {
    output: Same<Operations[One]['output'], z.output<EveryOperation[One]['success']>>;
    input: Same<AsItTravels<Operations[One]['input']>, Sent<One>>;
  };
};

export const compared: Compared = undefined as unknown as { [One in Id]: { output: true; input: true } };

export const identifiers: Same<IdentifierName, ContractIdentifierName> = true;
