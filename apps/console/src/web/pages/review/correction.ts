import { correctionFields } from '../../data/contracts.data.ts';

type Field = (typeof correctionFields)[number];

/** The name of a document's or a field's choice in the form. */
export function choiceName(field: Field): string {
  return `wrong:${field}`;
}

/**
 * What the form says is wrong, field by field, as the procedure takes it: each code once, and the fields to send anew.
 * @param known the codes, in the order in which the first is the one of the error
 */
export function correctionOf<Code extends string>(
  form: FormData,
  known: readonly Code[],
): { codes: Code[]; fields: Field[] } {
  const wrong = correctionFields.flatMap((field) => {
    const code = form.get(choiceName(field));
    return typeof code === 'string' && code !== '' ? [{ field, code }] : [];
  });
  const given = new Set(wrong.map(({ code }) => code));
  return { codes: known.filter((code) => given.has(code)), fields: wrong.map(({ field }) => field) };
}
