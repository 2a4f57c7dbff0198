import { type NameAttributeKey, nameAttributes } from './attributes.ts';
import { boundedText, isPlaceholder } from './bounded-text.ts';

/** Tells whether a text still has a letter or a digit once it is cut to the bound of an attribute. */
export function isCertifiableText(type: NameAttributeKey, text: string): boolean {
  return !isPlaceholder(boundedText(text, nameAttributes[type].maxLength).value);
}

/** Returns the upper bound of an attribute, in characters. */
export function maxNameLength(type: NameAttributeKey): number {
  return nameAttributes[type].maxLength;
}
