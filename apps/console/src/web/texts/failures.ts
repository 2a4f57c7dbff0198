import { Failure } from '../client/trpc.ts';
import { useLabels } from './labels.ts';
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

/** What failed, in the operator's language: the catalogue's text, and what the server said of this very call. */
export function useFailureText(): (error: unknown) => string {
  const t = useTexts(texts);
  const labelOf = useLabels();
  return (error) => {
    if (error instanceof Told) return error.message;
    if (!(error instanceof Failure)) return t.unknown;
    if (error.code === 'UNREACHABLE') return t.unreachable;
    const text = labelOf(error.code).text;
    const details = error.details.flatMap(({ field, message }) =>
      message === undefined ? [] : [field === undefined ? message : `${field}: ${message}`],
    );
    const said = error.message === text ? [] : [error.message];
    return [text, ...(details.length > 0 ? details : said)].join(' · ');
  };
}
