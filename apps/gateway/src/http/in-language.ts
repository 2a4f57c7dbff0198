import { inSpanish } from '@rubrica/contracts/error-texts/in-spanish';
import { type ErrorDetail, errorCatalogue } from '@rubrica/contracts/shared/errors';
import type { FastifyReply } from 'fastify';
import type { Language } from '../context.ts';

/** Every text for people is made in English, also by peers and in stored records; here it becomes the caller's. */
export interface Said {
  readonly code: string;
  readonly message: string;
}

/** The same with its text in the language: one that is in no table gives way to the catalogue's for its code. */
export function inLanguage<Item extends Said>(item: Item, language: Language): Item {
  if (language === 'en') return item;
  return { ...item, message: inSpanish(item.message) ?? generic(item) };
}

function generic({ code, message, ...rest }: Said & Partial<Pick<ErrorDetail, 'field'>>): string {
  const text = Object.entries(errorCatalogue).find(([known]) => known === code)?.[1].es;
  if (text === undefined) return message;
  return rest.field === undefined ? text : `${rest.field}: ${text}`;
}

/** The headers of an answer, other than an error, that depends on the language. */
export function saysIn(language: Language, reply: FastifyReply): FastifyReply {
  // Added to what CORS has put there already.
  const vary = [reply.getHeader('vary') ?? [], 'Accept-Language'].flat().join(', ');
  return reply.header('content-language', language).header('vary', vary);
}
