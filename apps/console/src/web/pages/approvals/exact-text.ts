/** Characters that are not seen, or turn the direction of those beside them; line ends and tabs are shown. */
const unseen = /[\p{Cf}\p{Zl}\p{Zp}]|(?![\n\r\t])\p{Cc}/gu;
const simple = /^[\w:.@/-]+$/;

/**
 * A JSON value as text, so that no two values of one field look alike. Text stands without quotes where it cannot be
 * taken for another value.
 */
export function exactText(value: unknown): string {
  if (typeof value === 'string') return isPlain(value) ? value : quoted(value);
  const areSimple = Array.isArray(value) && value.length > 0 && value.every(isSimple);
  return areSimple ? value.join(', ') : quoted(value);
}

function isSimple(value: unknown): boolean {
  return typeof value === 'string' && simple.test(value);
}

function isPlain(text: string): boolean {
  const showsItsEnds = text.trim() === text || text.includes('\n');
  return text !== '' && showsItsEnds && text.search(unseen) === -1 && !isJson(text);
}

/** JSON in ASCII where a character is not seen. */
function quoted(value: unknown): string {
  return JSON.stringify(value).replaceAll(unseen, (character) =>
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
