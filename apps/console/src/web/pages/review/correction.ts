import { correctionFields } from '../../data/contracts.data.ts';

type Field = (typeof correctionFields)[number];

/** Returns the form field name of a document's or field's choice. */
export function formatChoiceName(field: Field): string {
  return `wrong:${field}`;
}

/**
 * Reads the corrections of the form for the procedure: each code once, and the fields to send again.
 * @param known codes in order; the first one becomes the code of the error
 */
export function readCorrections<Code extends string>(
  form: FormData,
  known: readonly Code[],
): { codes: Code[]; fields: Field[] } {
  const wrong = correctionFields.flatMap((field) => {
    const code = form.get(formatChoiceName(field));
    return typeof code === 'string' && code !== '' ? [{ field, code }] : [];
  });
  const given = new Set(wrong.map(({ code }) => code));
  return { codes: known.filter((code) => given.has(code)), fields: wrong.map(({ field }) => field) };
}
