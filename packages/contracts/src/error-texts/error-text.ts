import { z } from 'zod';

/**
 * Text for people before it is rendered: the id of its template and the facts that the template names. It crosses the
 * bus and is stored in this form, so that each reader gets it in their language.
 */
export const errorTextSchema = z.object({
  id: z.string().max(100),
  // Facts may be texts themselves. Rendering checks them: another release may send what this one does not know.
  facts: z.record(z.string(), z.unknown()).optional(),
});
export type ErrorText = z.infer<typeof errorTextSchema>;

export type TextLanguage = 'en' | 'es';
