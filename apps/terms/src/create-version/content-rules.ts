/** C0 and C1 controls but for tab and line breaks, and halves of a surrogate pair: no reader can show them. */
const unprintable = /[\p{Cc}--[\t\n\r]]|\p{Surrogate}/v;

/** Why a text cannot be the content of a version, for the person who sent it; `undefined` when it can. */
export function contentFault(content: string): string | undefined {
  if (content.trim() === '') return 'content must not be blank';
  if (unprintable.test(content)) return 'content must not contain control characters other than line breaks';
  return undefined;
}
