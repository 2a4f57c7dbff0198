const objectStart = /(?<!end)obj/g;
/**
 * Number of times that a document may be read from its objects on. Only objects that begin inside one another
 * need more.
 */
const maxReadings = 8;

/**
 * Reads the text of the dictionary of each stream, as a viewer does from the beginning of its object. A
 * string or a comment may hold anything, also an apparent end of the object (ISO 32000-2, 7.2 and 7.3).
 * @returns `too-nested` in place of the rest if objects repeatedly begin inside one another
 */
export function* readStreamDictionaries(text: string): Generator<string | 'too-nested'> {
  let left = maxReadings * text.length;
  for (const { index } of text.matchAll(objectStart)) {
    const start = skipBlanks(text, index + 3);
    const end = text.startsWith('<<', start) ? skipDictionary(text, start) : start;
    const next = skipBlanks(text, end);
    left -= next - index;
    if (left < 0) return yield 'too-nested';
    if (end > start && text.startsWith('stream', next)) yield text.slice(start, end);
  }
}

const blanks = new Set(['\0', '\t', '\n', '\f', '\r', ' ']);

/** Skips white space and comments. */
export function skipBlanks(text: string, from: number): number {
  let at = from;
  for (;;) {
    if (text[at] === '%') at = skipPast(text, /[\r\n]/g, at);
    else if (blanks.has(text[at] as string)) at += 1;
    else return at;
  }
}

/** Returns the position behind the dictionary that begins at `from`, or the end of the text. */
function skipDictionary(text: string, from: number): number {
  let depth = 0;
  const mark = /<<|>>|[(<%]/g;
  mark.lastIndex = from;
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    const [token] = found;
    if (token === '<<') depth += 1;
    else if (token === '>>') depth -= 1;
    else mark.lastIndex = skipByToken[token as keyof typeof skipByToken](text, mark.lastIndex);
    if (depth === 0) return mark.lastIndex;
  }
  return text.length;
}

/** Functions that skip a comment, a string and a hexadecimal string, by their first character. */
const skipByToken = {
  '%': (text: string, from: number) => skipPast(text, /[\r\n]/g, from),
  '<': (text: string, from: number) => skipPast(text, />/g, from),
  '(': skipString,
};

function skipPast(text: string, pattern: RegExp, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text) === null ? text.length : pattern.lastIndex;
}

/** Skips a string, which holds pairs of parentheses, and others behind a backslash. */
function skipString(text: string, from: number): number {
  let depth = 1;
  const mark = /\\[\s\S]|[()]/g;
  mark.lastIndex = from;
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    if (found[0] === '(') depth += 1;
    else if (found[0] === ')') depth -= 1;
    if (depth === 0) return mark.lastIndex;
  }
  return text.length;
}
