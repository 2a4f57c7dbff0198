import { createText, type FactArguments } from './create-text.ts';
import { type ErrorText, errorTextSchema } from './error-text.ts';
import { renderEnglish } from './render-text.ts';
import type { TextId } from './templates.ts';

/** Encodes a text as the message of a zod check, which must be a string. `readCheckMessage` reads it from the issue. */
export function checkMessage<Id extends TextId>(id: Id, ...facts: FactArguments<Id>): string {
  return toCheckMessage(createText(id, ...facts));
}

export function toCheckMessage(text: ErrorText): string {
  return JSON.stringify(text);
}

/** Reads the text from the message of an issue; undefined for a message of zod itself. */
export function readCheckMessage(message: string): ErrorText | undefined {
  if (!message.startsWith('{')) return undefined;
  try {
    return errorTextSchema.safeParse(JSON.parse(message)).data;
  } catch {
    return undefined;
  }
}

/** Renders the message of an issue in English, for settings and logs. */
export function renderCheckMessage(message: string): string {
  const text = readCheckMessage(message);
  return text === undefined ? message : renderEnglish(text);
}
