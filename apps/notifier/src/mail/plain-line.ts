/**
 * Text from outside as one line: control characters, line ends and the marks that turn the direction of writing
 * become blanks, so that a name can neither add a line nor make what stands beside it read backwards.
 */
export function plainLine(text: string): string {
  return text
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
}

/** Fills `{name}` places once: what is filled in is never read again, so a name such as `{code}` stays what it is. */
export function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place);
}
