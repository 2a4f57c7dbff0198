import type { ErrorCode } from '../shared/errors.ts';
import type { Placeholder } from './define-texts.ts';
import type { ErrorText } from './error-text.ts';
import { type TextId, type templates, toCatalogueId } from './templates.ts';

type PlaceholderIn<Id extends TextId> = Placeholder<(typeof templates)[Id]['en']>;

/**
 * Value of a placeholder by its form. `{reason:text}` is a text. `{kinds:or}`, `{reasons:clauses}` and
 * `{faults:sentences}` are lists of texts, codes and names. Any other one is a code, a name, a number or an input
 * value.
 */
type Fact<Form extends string> = Form extends `${string}:text`
  ? ErrorText
  : Form extends `${string}:${string}`
    ? readonly (string | ErrorText)[]
    : string | number;

type FactName<Form extends string> = Form extends `${infer Name}:${string}` ? Name : Form;

type Facts<Id extends TextId> = {
  readonly [Form in PlaceholderIn<Id> as FactName<Form>]: Fact<Form>;
};

export type FactArguments<Id extends TextId> = [PlaceholderIn<Id>] extends [never] ? [] : [facts: Facts<Id>];

/** Creates a text from a template and its facts. Facts that do not fit the template do not compile. */
export function createText<Id extends TextId>(id: Id, ...[facts]: FactArguments<Id>): ErrorText {
  return facts === undefined ? { id } : { id, facts: { ...facts } };
}

/** Creates the catalogue's text for a code. */
export function createCatalogueText(code: ErrorCode): ErrorText {
  return { id: toCatalogueId(code) };
}

/** Creates a sentence about a field from a text that continues its name: `city` and `is required`. */
export function createFieldText(field: string, fault: ErrorText): ErrorText {
  return createText('field.fault', { field, fault });
}
