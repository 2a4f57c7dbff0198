import type { ServiceErrorShape } from '@rubrica/process/trpc';
import type { Language } from '../context.ts';
import { localize } from '../http/localize.ts';

/** Renders the texts of a failure under /trpc in the operator's language. */
export function localizeShape(
  { message, code, data }: ServiceErrorShape,
  language: Language,
): ServiceErrorShape {
  const { text, ...rest } = data;
  return {
    message: localize({ code: data.appCode, message, text }, language).message,
    code,
    data: { ...rest, details: data.details.map((detail) => localize(detail, language)) },
  };
}
