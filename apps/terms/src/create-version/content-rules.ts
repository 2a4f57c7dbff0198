import { createFieldText, createText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';

/** C0 and C1 controls but for tab and line breaks, and halves of a surrogate pair: no reader can show them. */
const unprintable = /[\p{Cc}--[\t\n\r]]|\p{Surrogate}/v;

/** Why a text cannot be the content of a version, for the person who sent it; `undefined` when it can. */
export function contentFault(content: string): ErrorText | undefined {
  if (content.trim() === '') return createFieldText('content', createText('field.blank'));
  if (unprintable.test(content)) return createFieldText('content', createText('field.lineBreaksOnly'));
  return undefined;
}
