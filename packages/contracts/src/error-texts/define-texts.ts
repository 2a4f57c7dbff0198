/** Text in both languages. `{name}` stands for a fact; `create-text.ts` lists the forms of a placeholder. */
interface Template {
  readonly en: string;
  readonly es: string;
}

/** Placeholders of a template, for example `count` of `{count}` and `reason:text` of `{reason:text}`. */
export type Placeholder<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never;

type Fitting<Row> = Row extends { readonly en: infer En extends string; readonly es: infer Es extends string }
  ? [Placeholder<En>, Placeholder<Es>] extends [Placeholder<Es>, Placeholder<En>]
    ? Row
    : { readonly en: En; readonly es: `${string}{${Placeholder<En>}}${string}` }
  : Template;

/** Defines templates by id. A row without both languages, or with other facts in one of them, does not compile. */
export function defineTexts<const Rows extends Readonly<Record<string, Template>>>(
  rows: Rows & { readonly [Id in keyof Rows]: Fitting<Rows[Id]> },
): Rows {
  return rows;
}
