/** Invisible characters, and those that change the writing direction; line breaks and tabs are visible. */
const invisible = /[\p{Cf}\p{Zl}\p{Zp}]|(?![\n\r\t])\p{Cc}/gu;
const simple = /^[\w:.@/-]+$/;

/**
 * Formats a JSON value so that different values of a field never look the same. Text has no quotes where it is
 * unambiguous.
 */
export function formatExactText(value: unknown): string {
  if (typeof value === 'string') return isPlain(value) ? value : quote(value);
  const areSimple = Array.isArray(value) && value.length > 0 && value.every(isSimple);
  return areSimple ? value.join(', ') : quote(value);
}

function isSimple(value: unknown): boolean {
  return typeof value === 'string' && simple.test(value);
}

function isPlain(text: string): boolean {
  const hasVisibleEnds = text.trim() === text || text.includes('\n');
  return text !== '' && hasVisibleEnds && text.search(invisible) === -1 && !isJson(text);
}

/** Formats JSON with invisible characters as ASCII escapes. */
function quote(value: unknown): string {
  return JSON.stringify(value).replaceAll(invisible, (character) =>
    Array.from({ length: character.length }, (_, index) => {
      const unit = character.charCodeAt(index).toString(16);
      return `\\u${unit.padStart(4, '0')}`;
    }).join(''),
  );
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
