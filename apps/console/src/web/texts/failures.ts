import { Failure } from '../client/trpc.ts';
import { useLabels } from './labels.ts';
import { usePreferences } from './preferences.tsx';
import { createBilingual, useTexts } from './texts.ts';

const texts = createBilingual({
  en: {
    unreachable: 'The server is not responding. Check your connection and try again.',
    unknown: 'Something went wrong. Try again. If the problem persists, contact your system administrator.',
  },
  es: {
    unreachable: 'El servidor no responde. Revise su conexión e inténtelo de nuevo.',
    unknown:
      'Ocurrió un error. Inténtelo de nuevo. Si el problema persiste, comuníquese con el administrador del sistema.',
  },
});

/** Error of the browser itself, with a text for the operator. */
export class UserFacingError extends Error {}

/**
 * Formats a failure in the operator's language: the server's message for this call, or the catalogue's text if the
 * message is in the previous language.
 */
export function useFailureText(): (error: unknown) => string {
  const t = useTexts(texts);
  const getLabel = useLabels();
  const { language } = usePreferences();
  return (error) => {
    if (error instanceof UserFacingError) return error.message;
    if (!(error instanceof Failure)) return t.unknown;
    if (error.code === 'UNREACHABLE') return t.unreachable;
    if (error.language !== language) return getLabel(error.code).text;
    const details = error.details.flatMap(({ field, message }) => {
      if (message === undefined || message === error.message) return [];
      return [field === undefined ? message : `${field}: ${message}`];
    });
    return [error.message, ...details].join(' · ');
  };
}
