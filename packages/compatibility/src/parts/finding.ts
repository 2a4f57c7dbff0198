import { isDeepStrictEqual } from 'node:util';
import { compareSchemas } from '../schema/compare-schemas.ts';
import type { Direction } from '../schema/difference.ts';
import type { Json, Schema } from '../schema/json-schema.ts';

/** Line, which a waiver may quote, about one agreement of the last release that the current tree breaks. */
export type Finding = string;

type Rows<Row> = Readonly<Record<string, Row>>;

/** Compares rows by name. New rows bind nobody yet; removed rows are findings. */
export function compareRows<Row>(
  before: Rows<Row>,
  after: Rows<Row>,
  compare: (before: Row, after: Row, name: string) => Finding[],
): Finding[] {
  return Object.entries(before).flatMap(([name, row]) => {
    const now = after[name];
    return now === undefined ? [`${name}: is gone`] : compare(row, now, name);
  });
}

/** Compares facts that may not change at all. */
export function compareFacts<Row extends object>(
  { before, after, name }: { before: Row; after: Row; name: string },
  facts: readonly (keyof Row & string)[],
): Finding[] {
  return facts
    .filter((fact) => !isDeepStrictEqual(before[fact], after[fact]))
    .map(
      (fact) => `${name}: ${fact} was ${JSON.stringify(before[fact])} and is ${JSON.stringify(after[fact])}`,
    );
}

/** Compares lists that may only grow. */
export function compareLists(
  { before, after, name }: { before: readonly string[]; after: readonly string[]; name: string },
  word: string,
): Finding[] {
  return before.filter((one) => !after.includes(one)).map((one) => `${name}: ${word} ${one} is gone`);
}

interface SchemaChange {
  readonly before: Schema;
  readonly after: Schema;
  readonly direction: Direction;
  readonly roots?: { readonly before: Json; readonly after: Json };
}

/**
 * Compares two schemas.
 * @param name location of the schemas, before the locations within them
 */
export function schemaFindings(name: string, change: SchemaChange): Finding[] {
  const found = compareSchemas(change).map(({ at, text }) => `${name}${at}: ${text}`);
  return [...new Set(found)];
}
