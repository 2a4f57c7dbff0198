import { Failure } from '../client/trpc.ts';
import { useLabels } from './labels.ts';
import { usePreferences } from './preferences.tsx';
import { bilingual, useTexts } from './texts.ts';

const texts = bilingual({
  en: {
    unreachable: 'The server does not answer. Check the connection and try again.',
    unknown: 'Something went wrong. Try again; if it stays, tell whoever runs this system.',
  },
  es: {
    unreachable: 'El servidor no responde. Revise la conexión e intente de nuevo.',
    unknown: 'Algo salió mal. Intente de nuevo; si persiste, avise a quien opera este sistema.',
  },
});

/** What went wrong in the browser itself, as its operator is told of it. */
export class Told extends Error {}

/**
 * Formats a failure in the operator's language: what the server said of this call, or the catalogue's text where it spoke
 * the language that was chosen before.
 */
export function useFailureText(): (error: unknown) => string {
  const t = useTexts(texts);
  const labelOf = useLabels();
  const { language } = usePreferences();
  return (error) => {
    if (error instanceof Told) return error.message;
    if (!(error instanceof Failure)) return t.unknown;
    if (error.code === 'UNREACHABLE') return t.unreachable;
    if (error.language !== language) return labelOf(error.code).text;
    const details = error.details.flatMap(({ field, message }) => {
      if (message === undefined || message === error.message) return [];
      return [field === undefined ? message : `${field}: ${message}`];
    });
    return [error.message, ...details].join(' · ');
  };
}
