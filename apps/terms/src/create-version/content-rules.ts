import { createFieldText, createText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';

/** Control characters (C0, C1) except tab and line breaks, and unpaired surrogates: no reader can display them. */
const unprintable = /[\p{Cc}--[\t\n\r]]|\p{Surrogate}/v;

/** Returns why a text cannot be the content of a version, for its sender; `undefined` when it can. */
export function findContentFault(content: string): ErrorText | undefined {
  if (content.trim() === '') return createFieldText('content', createText('field.blank'));
  if (unprintable.test(content)) return createFieldText('content', createText('field.lineBreaksOnly'));
  return undefined;
}
