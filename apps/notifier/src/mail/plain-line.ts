/**
 * Reduces external text to one line. Control characters, line breaks and directional marks become blanks, so that a
 * name can neither add a line nor reverse the text next to it.
 */
export function toPlainLine(text: string): string {
  return text
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
}

/** Fills `{name}` placeholders once: inserted values are never expanded, so a name such as `{code}` stays unchanged. */
export function fillTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder);
}
