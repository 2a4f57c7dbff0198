import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';
import { renderText } from '@rubrica/contracts/error-texts/render-text';
import { errorCatalogue } from '@rubrica/contracts/shared/errors';
import { isErrorCode } from '@rubrica/process/errors';
import type { FastifyReply } from 'fastify';
import type { Language } from '../context.ts';

/** Fault, warning or observation as services and stored records contain it. */
export interface Localizable {
  readonly code: string;
  /** English rendering; the only text in data of the previous release. */
  readonly message: string;
  readonly text?: ErrorText | undefined;
}

const maxMessageLength = 1_000;

/** Renders `message` in the language of the reader, and removes its template. */
export function localize<Item extends Localizable>(item: Item, language: Language): Omit<Item, 'text'> {
  const { text, ...rest } = item;
  const rendered = text && renderText(text, language);
  return {
    ...rest,
    message: rendered?.slice(0, maxMessageLength) ?? localizeUnknown(item, language),
  };
}

/**
 * Renders a message without a known template: unchanged in English, as the catalogue's text for its code in Spanish.
 */
function localizeUnknown(
  { code, message, field }: Localizable & { readonly field?: string },
  language: Language,
): string {
  if (language === 'en' || !isErrorCode(code)) return message;
  const known = errorCatalogue[code];
  return field === undefined || message === known.en ? known[language] : `${field}: ${known[language]}`;
}

/** Sets the headers of a successful answer that depends on the language. */
export function setLanguageHeaders(language: Language, reply: FastifyReply): FastifyReply {
  // Appended to the values that CORS has set.
  const vary = [reply.getHeader('vary') ?? [], 'Accept-Language'].flat().join(', ');
  return reply.header('content-language', language).header('vary', vary);
}
